import { describe, expect, it } from "vitest";
import type { CallState } from "../../../src/domain/state.ts";
import { openDatabase } from "../../../src/store/sqlite/open-database.ts";
import { takeOwnerLock } from "../../../src/store/sqlite/owner-lock.ts";
import { abandonedCalls, callsOf, settled } from "../../../src/store/sqlite/recovery.ts";
import { Writer } from "../../../src/store/sqlite/writer.ts";
import { asked, bring, first, keptCall, mustCommit, newCall, next, PATHS, PLAN } from "../changes.ts";
import { openScratch, reportOn, statesOf } from "../state-dir.ts";
import { openJournal, readEntries } from "./open-journal.ts";

const OPEN = ["awaiting_approval", "approved", "executing"] as const;
const STATES = Object.keys(PATHS) as CallState[];

/** What each open call of a dead owner becomes; null = it stays. */
const CASES = [
  ["awaiting_approval", "attended", "cancelled"],
  ["awaiting_approval", "detached", "awaiting_approval"],
  ["approved", "attended", "cancelled"],
  ["approved", "detached", "approved"],
  ["executing", "attended", "unknown"],
  ["executing", "detached", "unknown"],
] as const;

/** Leaves calls in the given states behind, as an owner that is gone. */
async function leave(
  stateDir: string,
  owner: string,
  states: readonly (readonly [string, CallState, "attended" | "detached"])[],
) {
  await using journal = openJournal(stateDir, { owner });
  for (const [callId, state, caller] of states) await bring(journal, callId, state, { owner, caller });
}

/** Opens the journal as somebody else does, which settles what was left. */
async function visit(stateDir: string, callId: string) {
  await using journal = openJournal(stateDir, { owner: `owner_${callId}` });
  mustCommit(await journal.commit(first(callId, "refused", { call: { owner: `owner_${callId}` } })));
}

describe("a call of an owner that is gone", () => {
  it.each(CASES)("%s, %s, becomes %s", async (state, caller, becomes) => {
    using scratch = openScratch();
    await leave(scratch.stateDir, "owner_gone", [["a", state, caller]]);
    await visit(scratch.stateDir, "v");
    expect(statesOf(scratch.stateDir)).toEqual({ a: becomes, v: "refused" });
    expect(await reportOn(scratch.stateDir)).toMatchObject({ ok: true });
  });

  it("stays as it is once it has ended", async () => {
    using scratch = openScratch();
    const ended = STATES.filter((state) => !OPEN.includes(state as never));
    await leave(
      scratch.stateDir,
      "owner_gone",
      ended.map((state) => [state, state, "attended"] as const),
    );
    const before = readEntries(scratch.stateDir);
    await visit(scratch.stateDir, "v");
    expect(readEntries(scratch.stateDir).slice(0, -1)).toEqual(before);
    expect(statesOf(scratch.stateDir)).toEqual({
      ...Object.fromEntries(ended.map((state) => [state, state])),
      v: "refused",
    });
  });

  it("is settled once, however often the journal is opened", async () => {
    using scratch = openScratch();
    await leave(
      scratch.stateDir,
      "owner_gone",
      CASES.map(([state, caller]) => [`${state} ${caller}`, state, caller] as const),
    );
    await visit(scratch.stateDir, "v1");
    const settledOnce = readEntries(scratch.stateDir);
    await visit(scratch.stateDir, "v2");
    await visit(scratch.stateDir, "v3");
    expect(readEntries(scratch.stateDir).slice(0, settledOnce.length)).toEqual(settledOnce);
    expect(
      readEntries(scratch.stateDir)
        .slice(settledOnce.length)
        .map(({ callId }) => callId),
    ).toEqual(["v2", "v3"]);
  });

  it("is told of in an entry with the plan, session and project of the call", async () => {
    using scratch = openScratch();
    const mine = { sessionId: "session_9", project: "elsewhere", actor: "remote:ann" };
    {
      await using journal = openJournal(scratch.stateDir, { owner: "owner_gone" });
      const call = { owner: "owner_gone", sessionId: mine.sessionId, project: mine.project };
      mustCommit(await journal.commit(first("a", "executing", { call, entries: [mine, mine] })));
      mustCommit(await journal.commit(first("b", "awaiting_approval", { call, entries: [mine] })));
    }
    await visit(scratch.stateDir, "v");
    expect(readEntries(scratch.stateDir).slice(3, 5)).toMatchObject([
      {
        ...mine,
        callId: "a",
        kind: "tool.executed",
        planDigest: PLAN,
        body: { outcome: "unknown", code: "OUTCOME_UNKNOWN" },
      },
      {
        ...mine,
        callId: "b",
        kind: "tool.executed",
        planDigest: PLAN,
        body: { outcome: "cancelled", code: "CANCELLED" },
      },
    ]);
  });
});

describe("a call of an owner that lives", () => {
  it("is left alone", async () => {
    using scratch = openScratch();
    const { stateDir } = scratch;
    await leave(
      stateDir,
      "owner_alive",
      OPEN.map((state) => [`alive ${state}`, state, "attended"] as const),
    );
    const lock = takeOwnerLock(stateDir, "owner_alive");
    await leave(
      stateDir,
      "owner_gone",
      OPEN.map((state) => [`gone ${state}`, state, "attended"] as const),
    );
    await visit(stateDir, "v");
    expect(statesOf(stateDir)).toEqual({
      "alive awaiting_approval": "awaiting_approval",
      "alive approved": "approved",
      "alive executing": "executing",
      "gone awaiting_approval": "cancelled",
      "gone approved": "cancelled",
      "gone executing": "unknown",
      v: "refused",
    });
    lock.release();
    await visit(stateDir, "w");
    expect(statesOf(stateDir)).toMatchObject({ "alive executing": "unknown", "alive approved": "cancelled" });
  });

  it("is left alone also when it is one's own", async () => {
    using scratch = openScratch();
    await using one = openJournal(scratch.stateDir, { owner: "owner_1" });
    await bring(one, "a", "executing", { owner: "owner_1" });
    await visit(scratch.stateDir, "v");
    mustCommit(await one.commit(next("a", "executing", "completed")));
    expect(statesOf(scratch.stateDir)).toEqual({ a: "completed", v: "refused" });
  });
});

describe("a call that was taken over", () => {
  const takenBy = (owner: string) => newCall("a", { owner, caller: "detached" });

  it.each([
    ["is left to its new owner, though the old one is gone", { takenBy: takenBy("owner_new") }, "executing"],
    ["is unknown where nobody took it over (the sibling)", {}, "unknown"],
  ])("%s", async (_, more, becomes) => {
    using scratch = openScratch();
    const { stateDir } = scratch;
    await leave(stateDir, "owner_gone", [["a", "approved", "detached"]]);
    await using journal = openJournal(stateDir, { owner: "owner_new" });
    mustCommit(await journal.commit({ ...next("a", "approved", "executing"), ...more }));
    await visit(stateDir, "v");
    expect(statesOf(stateDir)).toEqual({ a: becomes, v: "refused" });
  });

  it("is unknown once its new owner is gone too", async () => {
    using scratch = openScratch();
    const { stateDir } = scratch;
    await leave(stateDir, "owner_gone", [["a", "approved", "detached"]]);
    {
      await using journal = openJournal(stateDir, { owner: "owner_new" });
      mustCommit(await journal.commit({ ...next("a", "approved", "executing"), takenBy: takenBy("owner_new") }));
    }
    await visit(stateDir, "v");
    expect(statesOf(stateDir)).toEqual({ a: "unknown", v: "refused" });
  });
});

describe("the question of an owner that is gone", () => {
  it.each([
    ["attended", { answer: { kind: "cancelled" }, state: "cancelled", kept: null }],
    ["detached", { answer: null, state: "awaiting_approval", kept: keptCall() }],
  ] as const)("of a caller who is %s", async (caller, found) => {
    using scratch = openScratch();
    const { stateDir } = scratch;
    {
      await using journal = openJournal(stateDir, { owner: "owner_gone" });
      mustCommit(await journal.commit(asked("a", {}, { call: { owner: "owner_gone", caller } })));
    }
    await using journal = openJournal(stateDir, { owner: "owner_v" });
    const question = await journal.questions.find("q_a");
    expect(question).toMatchObject(found);
    expect(question?.receipt?.seq).toBe(caller === "attended" ? 2 : undefined);
  });
});

describe("settling", () => {
  it("loses to whoever was faster, and writes nothing then", async () => {
    using scratch = openScratch();
    await leave(scratch.stateDir, "owner_gone", [["a", "executing", "attended"]]);
    const opened = openDatabase(scratch.stateDir);
    if (opened.kind === "refused") throw new Error(opened.refusal.message);
    const { db } = opened;
    const changes = abandonedCalls(db, "me", () => false).flatMap(
      (call) => settled(db, call, "2026-11-15T21:00:00.000Z") ?? [],
    );
    await visit(scratch.stateDir, "v");
    expect(new Writer(db).write(changes)).toMatchObject([{ kind: "failed", refusal: { code: "ILLEGAL_TRANSITION" } }]);
    db.close();
    expect(readEntries(scratch.stateDir)).toHaveLength(3);
  });

  it("looks at open calls only, however many have ended", () => {
    using scratch = openScratch();
    const opened = openDatabase(scratch.stateDir);
    if (opened.kind === "refused") throw new Error(opened.refusal.message);
    const { db } = opened;
    const plan: string[] = [];
    // The statement as it is run, explained instead.
    const explaining = {
      prepare: (sql: string) => {
        for (const row of db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all("me")) plan.push(String(row["detail"]));
        return db.prepare(sql);
      },
    } as unknown as typeof db;
    abandonedCalls(explaining, "me", () => false);
    expect(plan.join("; ")).toMatch(/calls USING INDEX open_calls/);
    db.close();
  });

  it("finds its own calls by id, if they are still executing", async () => {
    using scratch = openScratch();
    {
      await using journal = openJournal(scratch.stateDir);
      for (const state of STATES) await bring(journal, state, state);
    }
    const opened = openDatabase(scratch.stateDir);
    if (opened.kind === "refused") throw new Error(opened.refusal.message);
    expect(callsOf(opened.db, [...STATES, "nobody"]).map(({ callId }) => callId)).toEqual(["executing"]);
    opened.db.close();
  });
});
