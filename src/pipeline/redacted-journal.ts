import { Buffer } from "node:buffer";
import type { EntryDraft } from "../domain/entry.ts";
import type { JsonObject } from "../domain/json.ts";
import type { Blobs } from "../ports/blobs.ts";
import type { Change, Committed, Journal, NewCall } from "../ports/journal.ts";
import type { Redactor } from "../redact/redactor.ts";
import { mapTexts } from "./map-texts.ts";
import { ShortTexts } from "./short-texts.ts";

/**
 * INVARIANT (no secret recorded): whatever the stages tell the journal goes through here, so none of them has to think of
 * it. Texts that are too long for an entry are kept as blobs, which are there before the entry that names them.
 */
export function redactedJournal(journal: Journal, redactor: Redactor, blobs: Blobs): Journal {
  const clean = cleanerWith(redactor);
  return {
    close: () => journal.close(),
    questions: journal.questions,
    sessions: journal.sessions,
    keys: journal.keys,
    taken: (leaseId) => journal.taken(leaseId),
    used: (leaseId) => journal.used(leaseId),
    changeSession: (told) =>
      journal.changeSession({
        ...told,
        entries: () => {
          const [entry] = told.entries();
          return [clean.draft(entry, new ShortTexts("cut"))];
        },
      }),
    lastNote: (kind) => journal.lastNote(kind),
    note: (entry) => journal.note(clean.draft(entry, new ShortTexts("cut"))),
    commit: (change) => {
      // The end of a call has to be written, whatever becomes of its texts.
      if (change.from === "executing") return journal.commit(clean.change(change, new ShortTexts("cut")));
      const texts = new ShortTexts("keep");
      const cleaned = clean.change(change, texts);
      // Entries are made while they are written, which is too late to keep a text first: then the change came back
      // unwritten, and is handed in again.
      return journal
        .commit(cleaned)
        .then((committed) =>
          committed.kind === "failed" && texts.isWaiting
            ? keptThenCommitted(cleaned, texts, journal, { blobs, redactor })
            : committed,
        );
    },
  };
}

async function keptThenCommitted(
  change: Change,
  texts: ShortTexts,
  journal: Journal,
  { blobs, redactor }: { readonly blobs: Blobs; readonly redactor: Redactor },
): Promise<Committed> {
  const project = change.created?.project ?? "default";
  await texts.keepAll(redactor, async (text) => {
    const stored = await blobs.put(project, Buffer.from(text));
    return stored.ok ? stored.value.hash : null;
  });
  return journal.commit(change);
}

/** What the gate itself says in an entry. All else may come from a caller, a tool or a person. */
const OWN_MEMBERS: ReadonlySet<string> = new Set(
  ["inputDigest", "resultDigest", "rulesHash", "definitionDigest", "blob", "policyHash"].concat([
    "inputBlob",
    "recordBlob",
    "systemBlob",
    "resultBlob",
    "tokenDigest",
    "answer",
    "by",
    "code",
    "decision",
    "effect",
    "outcome",
    "risk",
    "stage",
  ]),
);

interface Cleaner {
  readonly change: (change: Change, texts: ShortTexts) => Change;
  readonly draft: (draft: EntryDraft, texts: ShortTexts) => EntryDraft;
}

function cleanerWith(redactor: Redactor): Cleaner {
  const [sameSession, sameProject] = [remembered(redactor), remembered(redactor)];
  const [sameActor, sameTool] = [remembered(redactor), remembered(redactor)];

  /** What a caller may have said. The rest are the gate's own ids. */
  const cleanCall = (created: NewCall): NewCall => {
    const tool = sameTool(created.tool);
    const project = sameProject(created.project);
    const sessionId = sameSession(created.sessionId);
    const isSame = tool === created.tool && project === created.project && sessionId === created.sessionId;
    return isSame ? created : { ...created, tool, project, sessionId };
  };

  const cleanDraft = (draft: EntryDraft, texts: ShortTexts): EntryDraft => {
    const body = mapTexts(draft.body, (text) => texts.short(text, redactor), OWN_MEMBERS) as JsonObject;
    const project = sameProject(draft.project);
    const sessionId = sameSession(draft.sessionId);
    const actor = sameActor(draft.actor);
    const isSame =
      body === draft.body && project === draft.project && sessionId === draft.sessionId && actor === draft.actor;
    return isSame ? draft : { ...draft, project, sessionId, actor, body };
  };

  const cleanChange = (change: Change, texts: ShortTexts): Change => {
    const entries = () => {
      const drafts = change.entries().map((draft) => cleanDraft(draft, texts)) as [EntryDraft, ...EntryDraft[]];
      if (texts.isWaiting) throw new Error("a text of the entry is not kept yet");
      return drafts;
    };
    // What is shown of a question was cleaned when it was made, and the call that is kept beside it has to be whole.
    if (change.from === "received") return { ...change, created: cleanCall(change.created), entries };
    const { answer, takenBy } = change;
    if (answer === undefined && takenBy === undefined) return { ...change, entries };
    return {
      ...change,
      entries,
      ...(answer && { answer: mapTexts(answer as unknown as JsonObject, (text) => redactor.text(text)) as never }),
      ...(takenBy && { takenBy: cleanCall(takenBy) }),
    };
  };

  return { change: cleanChange, draft: cleanDraft };
}

/** Most calls of a gate have the same session, project and actor, and many the tool of the call before. */
function remembered(redactor: Redactor): (given: string) => string {
  let last = "";
  let lastClean = "";
  return (given) => {
    if (given !== last) {
      lastClean = redactor.text(given);
      last = given;
    }
    return lastClean;
  };
}
