import { Buffer } from "node:buffer";
import { describe, expect, it } from "vitest";
import { NOTHING_SPENT } from "../../src/domain/budget.ts";
import type { EntryDraft } from "../../src/domain/entry.ts";
import type { JsonObject } from "../../src/domain/json.ts";
import type { CallState } from "../../src/domain/state.ts";
import { redactedJournal } from "../../src/pipeline/redacted-journal.ts";
import type { Blobs } from "../../src/ports/blobs.ts";
import type { Change, Journal } from "../../src/ports/journal.ts";
import { redaction } from "../support/redaction.ts";

const SECRET = "hush-hush-4711";
const FULL: Blobs["put"] = async () => ({ ok: false, fault: { code: "STORAGE_FULL", message: "full" } });

const NOTHING = {
  lastNote: async () => ({ kind: "read", entry: null }) as const,
  questions: {
    open: async () => [],
    count: async () => 0,
    find: async () => null,
    ofCall: async () => null,
    answered: async () => null,
  },
  sessions: { find: () => null, open: async () => [] },
  taken: () => NOTHING_SPENT,
  used: () => NOTHING_SPENT,
  keys: {
    hashed: async ({ key }: { key: string }) => key,
    claim: async () => ({ kind: "claimed" }) as const,
    find: async () => null,
    release: async () => {},
  },
  changeSession: async () => ({ kind: "committed", receipt: { seq: 1, hash: "00" as never } }) as const,
  close: async () => {},
};

/** Like the real one: what can't be written fails by itself. */
function paperJournal() {
  const written: Change[] = [];
  const drafts: EntryDraft[] = [];
  const journal: Journal = {
    commit: async (change) => {
      try {
        drafts.push(...change.entries());
      } catch {
        return { kind: "failed", refusal: { code: "FAULT", stage: "journal", message: "unwritable" } };
      }
      written.push(change);
      return { kind: "committed", receipt: { seq: drafts.length, hash: "00" as never } };
    },
    note: async (entry) => {
      drafts.push(entry);
      return { kind: "committed", receipt: { seq: drafts.length, hash: "00" as never } };
    },
    ...NOTHING,
  };
  return { journal, written, drafts };
}

const draft = (body: JsonObject, more: Partial<EntryDraft> = {}): EntryDraft => ({
  at: "2026-11-15T00:00:00.000Z",
  kind: "tool.decided",
  project: "default",
  sessionId: "session_1",
  callId: "call_1",
  actor: "local:ann",
  planDigest: null,
  body,
  ...more,
});

const change = (entry: EntryDraft, from: CallState = "approved"): Change & { readonly from: CallState } => ({
  callId: "call_1",
  from,
  to: "refused",
  entries: () => [entry],
});

async function committed(given: Change, put?: Blobs["put"]) {
  const paper = paperJournal();
  const { redactor, blobs } = redaction({ KEY: SECRET });
  const journal = redactedJournal(paper.journal, redactor, put ? { ...blobs, put } : blobs);
  const result = await journal.commit(given);
  await journal.close();
  return { ...paper, result, kept: blobs.kept };
}

describe("what the journal is told", () => {
  it("holds no secret: in the body, the actor, the session, the project, the row", async () => {
    const touch = { kind: "write", path: `/w/${SECRET}/${Buffer.from(SECRET).toString("hex")}` };
    const entry = draft(
      { message: `no ${SECRET}`, touches: [{ touch }], tool: SECRET },
      { actor: `a ${SECRET}`, sessionId: SECRET, project: SECRET },
    );
    const created = {
      callId: "call_1",
      project: SECRET,
      sessionId: SECRET,
      owner: "o",
      host: "h",
      tool: `t${SECRET}`,
      caller: "attended",
    } as const;
    const { drafts, written } = await committed({ ...change(entry), from: "received", created });
    expect(drafts[0]).toMatchObject({
      actor: "a [REDACTED:KEY]",
      sessionId: "[REDACTED:KEY]",
      body: {
        message: "no [REDACTED:KEY]",
        tool: "[REDACTED:KEY]",
        touches: [{ touch: { kind: "write", path: "/w/[REDACTED:KEY]/[REDACTED:KEY]" } }],
      },
    });
    expect(written[0]?.created).toMatchObject({ tool: "t[REDACTED:KEY]", project: "[REDACTED:KEY]" });
    expect(JSON.stringify([drafts, written])).not.toContain(SECRET);
  });

  it("holds none under names that the gate uses itself, inside of what a tool said", async () => {
    const touch = { kind: "unknown", reason: "r", code: SECRET, effect: SECRET };
    const { drafts } = await committed(change(draft({ code: "RULE_DENY", touches: [{ effect: "allow", touch }] })));
    expect(JSON.stringify(drafts)).not.toContain(SECRET);
  });

  it("is the same object where there is none", async () => {
    const entry = draft({ message: "fine", touches: [{ touch: { kind: "read", path: "/w/a" } }] });
    expect((await committed(change(entry))).drafts[0]).toBe(entry);
  });
});

describe("a long text", () => {
  const text = `${SECRET} ${"é".repeat(2100)} end`;
  const redacted = text.replace(SECRET, "[REDACTED:KEY]");

  it("of 4 KB stays, of a byte more is kept as a blob first", async () => {
    const fits = "x".repeat(4096);
    expect((await committed(change(draft({ message: fits })))).drafts[0]?.body["message"]).toBe(fits);
    const { drafts, kept, result } = await committed(change(draft({ message: text })));
    const [[hash, bytes] = ["", Buffer.alloc(0)]] = [...kept];
    expect(Buffer.from(bytes).toString()).toBe(redacted);
    const message = String(drafts[0]?.body["message"]);
    expect(message).toContain(
      `[TRUNCATED: ${Buffer.byteLength(redacted)} bytes in all; the whole: toolgate blobs get ${hash}]`,
    );
    expect(Buffer.byteLength(message)).toBeLessThanOrEqual(4096);
    expect(message).toMatch(/^\[REDACTED:KEY\] é+\n\[TRUNCATED.*\]\né+ end$/);
    expect(result.kind).toBe("committed");
  });

  it("that can't be kept is cut, and says so", async () => {
    const { drafts } = await committed(change(draft({ message: text })), FULL);
    expect(drafts[0]?.body["message"]).toContain("the whole could not be kept]");
  });

  it("never keeps the end of a call from being written", async () => {
    const { drafts, kept } = await committed(change(draft({ message: text }), "executing"));
    expect(drafts[0]?.body["message"]).toContain("[TRUNCATED: ");
    expect(kept.size).toBe(0);
  });

  it("is not handed in again where the journal failed for another reason", async () => {
    const { redactor, blobs } = redaction();
    let times = 0;
    const failing: Journal = {
      commit: async () => {
        times++;
        return { kind: "failed", refusal: { code: "LEDGER_UNAVAILABLE", stage: "journal", message: "m" } };
      },
      note: async () => ({ kind: "failed", refusal: { code: "FAULT", stage: "journal", message: "m" } }),
      ...NOTHING,
    };
    const result = await redactedJournal(failing, redactor, blobs).commit(change(draft({ message: text })));
    expect([result.kind, times]).toEqual(["failed", 1]);
  });
});
