import { describe, expect, it } from "vitest";
import type { Finding } from "../../../src/ledger/finding.ts";
import type { Journal } from "../../../src/ports/journal.ts";
import { journalFile } from "../../../src/store/sqlite/open-database.ts";
import { openForReading } from "../../../src/store/sqlite/open-for-reading.ts";
import { verifyCalls, type WhichCalls } from "../../../src/store/sqlite/verify-calls.ts";
import { NO, YES } from "../../support/open-approver.ts";
import { asKind, openScratchGate, type ScratchGate } from "../../support/scratch-gate.ts";
import { bring, first, mustCommit, next } from "../changes.ts";
import { meddle, openScratch, verify } from "../state-dir.ts";
import { openJournal } from "./open-journal.ts";

/** Real calls with every kind of end, and one that waits. Their ids, in order. */
async function openCalls(): Promise<ScratchGate & { readonly ids: readonly string[] }> {
  const scratch = openScratchGate({
    policy: "untold",
    rules: [
      { id: "read", effect: "allow", touch: { read: ["./**"] } },
      { id: "write", effect: "ask", touch: { write: ["./**"] } },
    ],
  });
  const { gate } = scratch;
  scratch.put("a");
  const write = (path: string) => ({ tool: "write_file", input: { path, content: "x" } });
  const asked = async (path: string) => asKind(await gate.call(write(path), { whenAsked: "return" }), "pending");
  const ids = [(await gate.call({ tool: "read_file", input: { path: "a" } })).callId];
  ids.push((await gate.call({ tool: "nosuch", input: {} })).callId);
  const waiting = await asked("waits");
  const rejected = await asked("rejected");
  await gate.approvals.answer(rejected.approval.id, NO);
  const approved = await asked("approved");
  const answered = await gate.approvals.answer(approved.approval.id, YES);
  if (answered.kind === "recorded") await gate.approvals.carryOn(answered.question);
  ids.push(waiting.callId, rejected.callId, approved.callId);
  ids.push((await gate.call({ tool: "read_file", input: { path: "gone" } })).callId);
  return Object.assign(scratch, { ids });
}

async function foundIn(stateDir: string, which: WhichCalls, stretchEntries?: number): Promise<readonly Finding[]> {
  const db = openForReading(journalFile(stateDir));
  try {
    return await verifyCalls(db, which, stretchEntries);
  } finally {
    db.close();
  }
}

/** A call with the entries of one. */
async function make(journal: Journal, callId: string): Promise<void> {
  const decided = { kind: "tool.decided", body: { decision: "allow" } } as const;
  const executed = { kind: "tool.executed", body: { outcome: "completed" } } as const;
  mustCommit(await journal.commit(first(callId, "executing", { entries: [{}, decided] })));
  mustCommit(await journal.commit(next(callId, "executing", "completed", { entries: [executed] })));
}

/** All at once, and in stretches that calls lie across. */
const STRETCHES = [10_000, 7, 3, 2, 1];

const HARM: readonly (readonly [string, string, number, string])[] = [
  ["an end that was none", "UPDATE calls SET state = 11 WHERE call_id = ?", 3, "state"],
  ["a state that there is not", "UPDATE calls SET state = 99 WHERE call_id = ?", 0, "state"],
  ["another end", "UPDATE calls SET state = 11 WHERE call_id = ?", 5, "state"],
  ["another tool", "UPDATE calls SET tool = 'other' WHERE call_id = ?", 0, "tool"],
  ["another first entry", "UPDATE calls SET first_seq = first_seq + 1 WHERE call_id = ?", 4, "first-entry"],
  ["a last entry before its last", "UPDATE calls SET last_seq = last_seq - 1 WHERE call_id = ?", 4, "last-entry"],
  ["a last entry behind all", "UPDATE calls SET last_seq = 9000000000000000000 WHERE call_id = ?", 0, "last-entry"],
  ["a row that is gone", "DELETE FROM calls WHERE call_id = ?", 1, "missing"],
];

describe("the table of calls", () => {
  it.each(STRETCHES)("says what the entries tell, of calls of every kind, %i entries at a time", async (stretch) => {
    await using scratch = await openCalls();
    expect(scratch.rows().map(({ state }) => state)).toEqual(
      expect.arrayContaining(["completed", "refused", "awaiting_approval", "rejected", "failed"]),
    );
    expect(await foundIn(scratch.stateDir, "all", stretch)).toEqual([]);
    expect(await foundIn(scratch.stateDir, "newest", stretch)).toEqual([]);
  });

  it.each(HARM)("with %s: the call is named", async (_, sql, index, what) => {
    await using scratch = await openCalls();
    const callId = scratch.ids[index] ?? "";
    meddle(scratch.stateDir, sql.replace("?", `'${callId}'`));
    for (const stretch of STRETCHES) {
      expect(await foundIn(scratch.stateDir, "all", stretch)).toMatchObject([{ kind: "call", callId }]);
    }
    expect(await verify(scratch.stateDir)).toMatchObject({
      report: { ok: false, firstFinding: { callId, what }, findings: [{ callId, what }] },
    });
  });

  it("with a call that no entry tells of", async () => {
    await using scratch = await openCalls();
    meddle(
      scratch.stateDir,
      "INSERT INTO calls SELECT 'call_x', state, origin, tool, first_seq, last_seq FROM calls LIMIT 1",
    );
    const found = [{ kind: "call", callId: "call_x", what: "invented" }];
    for (const stretch of STRETCHES) expect(await foundIn(scratch.stateDir, "all", stretch)).toMatchObject(found);
    expect(await foundIn(scratch.stateDir, "newest")).toMatchObject(found);
  });

  it("tells of an open call that is older than the newest entries", async () => {
    await using scratch = await openCalls();
    const [, , waiting, rejected] = scratch.ids;
    expect(await foundIn(scratch.stateDir, "newest", 2)).toEqual([]);
    meddle(scratch.stateDir, `UPDATE calls SET state = 3 WHERE call_id = '${waiting}'`);
    // As if nobody had said no yet.
    meddle(scratch.stateDir, `UPDATE calls SET state = 1, last_seq = last_seq - 1 WHERE call_id = '${rejected}'`);
    expect(await foundIn(scratch.stateDir, "newest", 2)).toMatchObject([
      { callId: waiting, what: "state", told: "awaiting_approval", said: "executing" },
      { callId: rejected, what: "last-entry" },
    ]);
  });

  it("tells of a first entry that is not among the newest, and not the call's request", async () => {
    await using scratch = await openCalls();
    const [, , waiting, , , last] = scratch.ids;
    meddle(scratch.stateDir, `UPDATE calls SET first_seq = first_seq + 1 WHERE call_id = '${waiting}'`);
    meddle(scratch.stateDir, `UPDATE calls SET first_seq = 1 WHERE call_id = '${last}'`);
    expect(await foundIn(scratch.stateDir, "newest", 1)).toMatchObject([
      { callId: waiting, what: "first-entry", told: null },
      { callId: last, what: "first-entry", told: null, said: 1 },
    ]);
  });

  it("says no more of an ended call that is older, unless it is asked for all", async () => {
    await using scratch = await openCalls();
    meddle(scratch.stateDir, `UPDATE calls SET state = 12 WHERE call_id = '${scratch.ids[0]}'`);
    expect(await foundIn(scratch.stateDir, "newest", 2)).toEqual([]);
    expect(await foundIn(scratch.stateDir, "all", 2)).toMatchObject([{ callId: scratch.ids[0], what: "state" }]);
  });

  it("is not gone through to the end once it is plainly wrong", async () => {
    using scratch = openScratch();
    {
      await using journal = openJournal(scratch.stateDir);
      for (let n = 0; n < 30; n++) await bring(journal, `c${n}`, "completed");
    }
    meddle(scratch.stateDir, "DELETE FROM calls");
    expect(await foundIn(scratch.stateDir, "all")).toHaveLength(20);
  });

  it("is read as it is at one moment, while others write", async () => {
    using scratch = openScratch();
    await using journal = openJournal(scratch.stateDir);
    await make(journal, "first");
    const found: Promise<readonly Finding[]>[] = [];
    for (let n = 0; n < 30; n++) {
      const written = make(journal, `w${n}`);
      found.push(foundIn(scratch.stateDir, n % 2 === 0 ? "all" : "newest", 5));
      await written;
    }
    expect((await Promise.all(found)).flat()).toEqual([]);
  });
});
