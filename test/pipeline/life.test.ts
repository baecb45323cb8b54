import { describe, expect, it } from "vitest";
import type { Refusal } from "../../src/domain/outcome.ts";
import { Life } from "../../src/pipeline/life.ts";
import type { Change } from "../../src/ports/journal.ts";
import { SqliteJournal } from "../../src/store/sqlite/journal.ts";
import { handClock } from "../support/hand-clock.ts";
import { redaction } from "../support/redaction.ts";
import { approvedCall, DONE, judgedCall, rawCall, WORKSPACE } from "../support/sample-calls.ts";
import { entriesIn, openScratchGate, rowsIn } from "../support/scratch-gate.ts";
import { unsteadyJournal } from "../support/unsteady-journal.ts";

const DENIED: Refusal = { code: "RULE_DENY", stage: "judge", message: "no" };
const REST = { ...redaction(), workspace: WORKSPACE };
const RAN = { kind: "returned", result: DONE } as const;

/** One life on a real journal, which may be made to fail. */
async function withLife(
  use: (life: Life) => Promise<unknown>,
  trouble: (change: Change) => "none" | "fails" | "throws" = () => "none",
) {
  await using scratch = openScratchGate();
  const clock = handClock();
  const { stateDir } = scratch;
  const sqlite = new SqliteJournal({ stateDir, durability: "normal", owner: "owner_1", clock });
  const probe = { reached: () => {} };
  const life = new Life(rawCall(), { clock, journal: unsteadyJournal(sqlite, trouble), probe, ...REST });
  let result: unknown;
  try {
    result = await use(life);
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
    expect(lived.kinds).toEqual(["tool.requested", "tool.decided", "tool.started", "tool.executed completed"]);
    expect(lived.result).toMatchObject({ kind: "completed", durationMs: 0, receipt: { seq: 4 } });
  });

  it("that is asked about and approved", async () => {
    const lived = await withLife(async (life) => {
      await life.ask(judgedCall("ask"));
      await life.answer(approvedCall());
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
    ["APPROVAL_REJECTED", "refused", "rejected", "refused"],
    ["APPROVAL_EXPIRED", "refused", "expired", "refused"],
    ["APPROVAL_UNAVAILABLE", "refused", "expired", "refused"],
    ["CANCELLED", "cancelled", "cancelled", "cancelled"],
    ["FAULT", "refused", "cancelled", "refused"],
    ["APPROVAL_STALE", "refused", "cancelled", "refused"],
  ])("refused with %s: at once %s, under a question %s, after its answer %s", async (code, atOnce, asked, answered) => {
    const refusal: Refusal = { code, stage: "approve", message: "no" };
    const states = await Promise.all([
      withLife((life) => life.refuse(refusal)),
      withLife(async (life) => {
        await life.ask(judgedCall("ask"));
        return await life.refuse(refusal);
      }),
      withLife(async (life) => {
        await life.ask(judgedCall("ask"));
        await life.answer(approvedCall());
        return await life.refuse(refusal);
      }),
    ]);
    expect(states.map(({ state }) => state)).toEqual([atOnce, asked, answered]);
    for (const { result } of states) expect(result).toMatchObject({ kind: "refused", refusal: { code } });
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
      async (life) => {
        await life.ask(judgedCall("ask"));
        await life.answer(approvedCall());
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
    expect(lived.result).toMatchObject({ kind: "unknown", receipt: { seq: 3 } });
    expect(lived.state).toBe("executing");
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
    expect(lived.result).toMatchObject({ kind: "unknown", receipt: { seq: 4 } });
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
    expect(after.result).toMatchObject({ kind: "unknown", receipt: { seq: 3 } });
  });
});
