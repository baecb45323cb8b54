import { describe, expect, it } from "vitest";
import type { Refusal } from "../../src/domain/outcome.ts";
import { Life } from "../../src/pipeline/life.ts";
import * as record from "../../src/pipeline/record.ts";
import type { Journal } from "../../src/ports/journal.ts";
import { SqliteJournal } from "../../src/store/sqlite/journal.ts";
import { handClock } from "../support/hand-clock.ts";
import { redaction } from "../support/redaction.ts";
import { approvedCall, DONE, judgedCall, newQuestion, rawCall, WORKSPACE } from "../support/sample-calls.ts";
import { entriesIn, openScratchGate, rowsIn } from "../support/scratch-gate.ts";
import { type Told, unsteadyJournal } from "../support/unsteady-journal.ts";

const DENIED: Refusal = { code: "RULE_DENY", stage: "judge", message: "no" };
const REST = { ...redaction(), workspace: WORKSPACE };
const RAN = { kind: "returned", result: DONE } as const;

const ASKED = judgedCall("ask");

/** One life on a real journal, which may be made to fail. */
async function withLife(
  use: (life: Life, journal: Journal) => Promise<unknown>,
  trouble: (told: Told) => "none" | "fails" | "throws" = () => "none",
) {
  await using scratch = openScratchGate();
  const clock = handClock();
  const { stateDir } = scratch;
  const sqlite = new SqliteJournal({ stateDir, durability: "normal", owner: "owner_1", clock });
  const probe = { reached: () => {} };
  const journal = unsteadyJournal(sqlite, trouble);
  const faults = { report: () => {} };
  const life = new Life(rawCall(), { clock, journal, probe, ...REST, faults });
  let result: unknown;
  try {
    result = await use(life, journal);
  } finally {
    await sqlite.close();
  }
  const [row] = result === undefined ? [] : safely(() => rowsIn(stateDir));
  const kinds = safely(() => entriesIn(stateDir)).map(({ kind, body }) =>
    `${kind} ${body["outcome"] ?? body["code"] ?? ""}`.trim(),
  );
  return { result, state: row?.state, kinds };
}

/** Where nothing was ever written there is no database. */
function safely<T>(read: () => readonly T[]): readonly T[] {
  try {
    return read();
  } catch {
    return [];
  }
}

/** Asked about, and the desk has written the yes. */
async function approvedLife(life: Life, journal: Journal): Promise<void> {
  await life.ask(ASKED, newQuestion());
  const entry = {
    ...record.started(approvedCall(), "2026-01-02T03:04:05.000Z", 1),
    kind: "approval.answered",
  } as const;
  const answer = { kind: "approve", who: "ann" } as const;
  const change = { callId: "call_1", from: "awaiting_approval", to: "approved", answer } as const;
  expect(await journal.commit({ ...change, entries: () => [entry] })).toMatchObject({ kind: "committed" });
  life.approved();
}

describe("the life of a call", () => {
  it("that is allowed: two commits", async () => {
    let commits = 0;
    const lived = await withLife(
      async (life) => {
        await life.start(approvedCall());
        return await life.end(approvedCall(), RAN);
      },
      () => {
        commits++;
        return "none";
      },
    );
    expect(commits).toBe(2);
    expect(lived.state).toBe("completed");
    // The allow is written in the commit that starts the call, so it needs no entry of its own for that.
    expect(lived.kinds).toEqual(["tool.requested", "tool.decided", "tool.executed completed"]);
    expect(lived.result).toMatchObject({ kind: "completed", durationMs: 0, receipt: { seq: 3 } });
  });

  it("that is asked about and approved", async () => {
    const lived = await withLife(async (life, journal) => {
      await approvedLife(life, journal);
      await life.start(approvedCall());
      return await life.end(approvedCall(), RAN);
    });
    expect(lived.state).toBe("completed");
    expect(lived.kinds).toEqual([
      "tool.requested",
      "tool.decided",
      "approval.answered",
      "tool.started",
      "tool.executed completed",
    ]);
  });

  it.each<[Refusal["code"], string, string, string]>([
    ["APPROVAL_REJECTED", "refused", "cancelled", "refused"],
    ["APPROVAL_EXPIRED", "refused", "cancelled", "refused"],
    ["CANCELLED", "cancelled", "cancelled", "cancelled"],
    ["FAULT", "refused", "cancelled", "refused"],
    ["APPROVAL_STALE", "refused", "cancelled", "refused"],
  ])("refused with %s: at once %s, under a question %s, after its answer %s", async (code, atOnce, asked, answered) => {
    const refusal: Refusal = { code, stage: "approve", message: "no" };
    const states = await Promise.all([
      withLife((life) => life.refuse(refusal)),
      withLife(async (life) => {
        await life.ask(ASKED, newQuestion());
        return await life.refuse(refusal);
      }),
      withLife(async (life, journal) => {
        await approvedLife(life, journal);
        return await life.refuse(refusal);
      }),
    ]);
    expect(states.map(({ state }) => state)).toEqual([atOnce, asked, answered]);
    for (const { result } of states) expect(result).toMatchObject({ kind: "refused", refusal: { code } });
  });

  it("that is asked about, and nobody waits: the question is told, with the receipt of the entry that asks", async () => {
    const lived = await withLife(async (life) => {
      const opened = await life.ask(ASKED, newQuestion({ deadlineMs: 5000 }));
      return opened.kind === "committed" ? life.pending(newQuestion({ deadlineMs: 5000 }), opened.receipt) : opened;
    });
    expect(lived.state).toBe("awaiting_approval");
    expect(lived.result).toEqual({
      kind: "pending",
      budgetConsumed: 0,
      callId: "call_1",
      tool: "sample",
      durationMs: 0,
      receipt: { seq: 2, hash: expect.any(String) },
      approval: { id: "approval_1", risk: "LOW", reasons: [], deadline: "1970-01-01T00:00:05.000Z" },
    });
  });

  it("that is run again: each attempt is told before it runs, and the end counts them", async () => {
    const lived = await withLife(async (life) => {
      await life.start(approvedCall());
      await life.restart(approvedCall());
      return await life.end(approvedCall(), RAN);
    });
    expect(lived.kinds).toEqual(["tool.requested", "tool.decided", "tool.started", "tool.executed completed"]);
    expect(lived.result).toMatchObject({ kind: "completed", attempts: 2, receipt: { seq: 4 } });
  });

  it("measures from its beginning", async () => {
    await using scratch = openScratchGate();
    const clock = handClock();
    const journal = new SqliteJournal({ stateDir: scratch.stateDir, durability: "normal", owner: "o", clock });
    const life = new Life(rawCall(), { clock, journal, probe: { reached: () => {} }, ...REST });
    clock.move(12.3456);
    expect(await life.refuse(DENIED)).toMatchObject({ durationMs: 12.346 });
    await journal.close();
  });
});

describe("a journal that fails", () => {
  it("at the first word: refused, and nothing is there", async () => {
    const lived = await withLife(
      (life) => life.refuse(DENIED),
      () => "fails",
    );
    expect(lived.result).toEqual({
      kind: "refused",
      budgetConsumed: 0,
      callId: "call_1",
      tool: "sample",
      durationMs: 0,
      refusal: { code: "LEDGER_UNAVAILABLE", stage: "journal", message: "the disk is full" },
    });
    expect(lived.kinds).toEqual([]);
  });

  it("at the start of an unasked call: nothing is there", async () => {
    const lived = await withLife(
      async (life) => {
        const start = await life.start(approvedCall());
        if (start.kind === "committed") throw new Error("started");
        return await life.notStarted(start.refusal);
      },
      ({ to }) => (to === "executing" ? "fails" : "none"),
    );
    expect(lived.result).not.toHaveProperty("receipt");
    expect(lived.kinds).toEqual([]);
  });

  it("at the start of an asked call: its row comes to an end all the same", async () => {
    const lived = await withLife(
      async (life, journal) => {
        await approvedLife(life, journal);
        const start = await life.start(approvedCall());
        if (start.kind === "committed") throw new Error("started");
        return await life.notStarted(start.refusal);
      },
      ({ to }) => (to === "executing" ? "fails" : "none"),
    );
    expect(lived.result).toMatchObject({
      kind: "refused",
      refusal: { code: "LEDGER_UNAVAILABLE" },
      receipt: { seq: 4 },
    });
    expect(lived.state).toBe("refused");
  });

  it("at the end: unknown, with the receipt of the start", async () => {
    const lived = await withLife(
      async (life) => {
        await life.start(approvedCall());
        return await life.end(approvedCall(), RAN);
      },
      ({ from }) => (from === "executing" ? "fails" : "none"),
    );
    expect(lived.result).toMatchObject({ kind: "unknown", receipt: { seq: 2 } });
    expect(lived.state).toBe("executing");
  });
});

describe("a call that is taken over", () => {
  const given = async (use: (taker: Life, journal: Journal) => Promise<unknown>) =>
    withLife(async (life, journal) => {
      await approvedLife(life, journal);
      const probe = { reached: () => {} };
      const raw = rawCall({ owner: "owner_2", caller: "detached" });
      return await use(new Life(raw, { clock: handClock(), journal, probe, ...REST }, "approved"), journal);
    });

  it("starts and ends like any other", async () => {
    const lived = await given(async (taker) => {
      await taker.start(approvedCall());
      return await taker.end(approvedCall(), RAN);
    });
    expect(lived).toMatchObject({ state: "completed", result: { kind: "completed", receipt: { seq: 5 } } });
  });

  it("and that somebody else has started is theirs to tell of", async () => {
    const lived = await given(async (taker, journal) => {
      const probe = { reached: () => {} };
      const faster = new Life(
        rawCall({ owner: "owner_3" }),
        { clock: handClock(), journal, probe, ...REST },
        "approved",
      );
      await faster.start(approvedCall());
      const start = await taker.start(approvedCall());
      if (start.kind === "committed") throw new Error("started twice");
      return await taker.notStarted(start.refusal);
    });
    expect(lived.state).toBe("executing");
    expect(lived.result).toMatchObject({ kind: "refused", refusal: { code: "ILLEGAL_TRANSITION" } });
    expect(lived.result).not.toHaveProperty("receipt");
  });

  it("can be refused once", async () => {
    const lived = await given(async (taker) => {
      await taker.refuse(DENIED);
      return await taker.refuse(DENIED);
    });
    expect(lived).toMatchObject({ state: "refused", result: { refusal: { code: "ILLEGAL_TRANSITION" } } });
  });
});

describe("our own mistake", () => {
  it("before the start: refused", async () => {
    const lived = await withLife((life) => life.fault());
    expect(lived.result).toMatchObject({ kind: "refused", refusal: { code: "FAULT" }, receipt: { seq: 2 } });
    expect(lived.state).toBe("refused");
  });

  it("after the start: unknown", async () => {
    const lived = await withLife(async (life) => {
      await life.start(approvedCall());
      return await life.fault();
    });
    expect(lived.result).toMatchObject({ kind: "unknown", receipt: { seq: 3 } });
    expect(lived.state).toBe("unknown");
  });

  it("with a journal that throws as well: an outcome all the same", async () => {
    const before = await withLife(
      (life) => life.fault(),
      () => "throws",
    );
    expect(before.result).toMatchObject({ kind: "refused", refusal: { code: "FAULT" } });
    const after = await withLife(
      async (life) => {
        await life.start(approvedCall());
        return await life.fault();
      },
      ({ from }) => (from === "executing" ? "throws" : "none"),
    );
    expect(after.result).toMatchObject({ kind: "unknown", receipt: { seq: 2 } });
  });
});
