import { Buffer } from "node:buffer";
import type { EntryDraft } from "../domain/entry.ts";
import type { JsonObject } from "../domain/json.ts";
import { LIMITS } from "../domain/limits.ts";
import type { Blobs } from "../ports/blobs.ts";
import type { Change, Committed, Journal } from "../ports/journal.ts";
import type { Redactor } from "../redact/redactor.ts";
import { truncateText } from "../redact/truncate.ts";
import { mapTexts } from "./map-texts.ts";

const TEXT_BYTES_MAX = LIMITS.entryTextBytes.default;

/**
 * INVARIANT (no secret recorded): whatever the stages tell the journal goes through here, so none of them has to think of
 * it. Texts that are too long for an entry are kept as blobs, which are there before the entry that names them.
 */
export function redactedJournal(journal: Journal, redactor: Redactor, blobs: Blobs): Journal {
  return {
    close: () => journal.close(),
    commit: (change) => {
      const texts = new ShortTexts(change.from === "executing" ? "cut" : "keep");
      const clean = cleanChange(change, redactor, texts);
      // Entries are made while they are written, which is too late to keep a text first: such a change is given back
      // unwritten, and comes again.
      return journal.commit(clean).then((committed) => {
        if (committed.kind === "committed" || !texts.isWaiting) return committed;
        return keptThenCommitted(clean, texts, journal, blobs);
      });
    },
  };
}

async function keptThenCommitted(
  change: Change,
  texts: ShortTexts,
  journal: Journal,
  blobs: Blobs,
): Promise<Committed> {
  const project = change.created?.project ?? "default";
  await texts.keepAll(async (text) => {
    const stored = await blobs.put(project, Buffer.from(text));
    return stored.ok ? stored.value.hash : null;
  });
  return journal.commit(change);
}

function cleanChange(change: Change, redactor: Redactor, texts: ShortTexts): Change {
  const { created } = change;
  return {
    ...change,
    ...(created && { created: redactor.redactJson(created).value }),
    entries: () => {
      const [first, ...rest] = change.entries();
      const clean = (draft: EntryDraft) => cleanDraft(draft, redactor, texts);
      const drafts = [clean(first), ...rest.map(clean)] as const;
      if (texts.isWaiting) throw new Error("a text of the entry is not kept yet");
      return drafts;
    },
  };
}

function cleanDraft(draft: EntryDraft, redactor: Redactor, texts: ShortTexts): EntryDraft {
  const body = mapTexts(redactor.redactJson(draft.body).value, (text) => texts.short(text)) as JsonObject;
  const project = redactor.text(draft.project);
  const sessionId = redactor.text(draft.sessionId);
  const actor = redactor.text(draft.actor);
  const isSame =
    body === draft.body && project === draft.project && sessionId === draft.sessionId && actor === draft.actor;
  return isSame ? draft : { ...draft, project, sessionId, actor, body };
}

/** Long texts of one change, and what stands for them in the entry. */
class ShortTexts {
  readonly #long: "keep" | "cut";
  readonly #shortOf = new Map<string, string>();
  readonly #waiting = new Set<string>();

  /** `cut`: the end of a call has to be written, whatever becomes of its texts. */
  constructor(long: "keep" | "cut") {
    this.#long = long;
  }

  get isWaiting(): boolean {
    return this.#waiting.size > 0;
  }

  short(text: string): string {
    if (text.length * 3 <= TEXT_BYTES_MAX || Buffer.byteLength(text) <= TEXT_BYTES_MAX) return text;
    if (this.#long === "cut") return truncateText(text, TEXT_BYTES_MAX).text;
    const known = this.#shortOf.get(text);
    if (known === undefined) this.#waiting.add(text);
    return known ?? "";
  }

  async keepAll(keep: (text: string) => Promise<string | null>): Promise<void> {
    for (const text of this.#waiting) {
      const blob = await keep(text);
      const how = blob === null ? "the whole could not be kept" : `the whole: toolgate blobs get ${blob}`;
      this.#shortOf.set(text, truncateText(text, TEXT_BYTES_MAX, how).text);
    }
    this.#waiting.clear();
  }
}
