import { describe, expect, it } from "vitest";
import { type Budget, type Hold, NOTHING_SPENT, type Spending, UNLIMITED } from "../../../src/domain/budget.ts";
import { first, mustCommit, next } from "../changes.ts";
import { openScratch } from "../state-dir.ts";
import { openJournal } from "./open-journal.ts";

const spent = (more: Partial<Spending>): Spending => ({ ...NOTHING_SPENT, ...more });
const WANTED = { atLeast: spent({ calls: 1, timeMs: 1 }), atMost: spent({ calls: 1, timeMs: 100 }) };
const hold = (...budgets: readonly (readonly [string, Partial<Budget>])[]): Hold => ({
  budgets: budgets.map(([leaseId, budget]) => ({ leaseId, budget: { ...UNLIMITED, ...budget } })),
  wanted: WANTED,
});

describe("what a call holds", () => {
  it("is taken when it starts, and what it did not use is given back when it ends", async () => {
    using scratch = openScratch();
    await using journal = openJournal(scratch.stateDir);
    expect(journal.taken("a")).toEqual(NOTHING_SPENT);
    const start = { ...first("c1", "executing"), hold: hold(["a", { calls: 2, timeMs: 250 }]) };
    expect(await journal.commit(start)).toMatchObject({ kind: "committed", held: { calls: 1, timeMs: 100 } });
    expect(journal.taken("a")).toEqual(spent({ calls: 1, timeMs: 100 }));
    mustCommit(
      await journal.commit({
        ...next("c1", "executing", "completed"),
        spent: spent({ calls: 1, timeMs: 2.5, bytes: 9 }),
      }),
    );
    expect(journal.taken("a")).toEqual(spent({ calls: 1, timeMs: 2.5, bytes: 9 }));
  });

  it("comes out of each budget, or out of none", async () => {
    using scratch = openScratch();
    await using journal = openJournal(scratch.stateDir);
    const both = hold(["a", { calls: 5, timeMs: 40 }], ["b", { calls: 1 }]);
    expect(await journal.commit({ ...first("c1", "executing"), hold: both })).toMatchObject({ held: { timeMs: 40 } });
    expect([journal.taken("a"), journal.taken("b")]).toEqual([spent({ calls: 1, timeMs: 40 }), spent({ calls: 1 })]);
    expect(await journal.commit({ ...first("c2", "executing"), hold: both })).toMatchObject({
      kind: "failed",
      refusal: { code: "BUDGET_EXCEEDED", message: expect.stringContaining("`timeMs` of 40") },
    });
    const other = hold(["a", { calls: 5 }], ["b", { calls: 1 }]);
    expect(await journal.commit({ ...first("c2", "executing"), hold: other })).toMatchObject({
      refusal: { code: "BUDGET_EXCEEDED", message: expect.stringContaining("`calls` of 1") },
    });
    expect(journal.taken("a")).toEqual(spent({ calls: 1, timeMs: 40 }));
    // What was not started is not there.
    mustCommit(await journal.commit(first("c2", "refused")));
  });

  it("is not taken twice by a call that starts twice", async () => {
    using scratch = openScratch();
    await using journal = openJournal(scratch.stateDir);
    const start = { ...first("c1", "executing"), hold: hold(["a", { calls: 5 }]) };
    const results = await Promise.all([journal.commit(start), journal.commit(start)]);
    expect(results.map(({ kind }) => kind)).toEqual(["committed", "failed"]);
    expect(journal.taken("a").calls).toBe(1);
  });

  it("stays taken where nobody knows what was used of it", async () => {
    using scratch = openScratch();
    {
      await using journal = openJournal(scratch.stateDir, { owner: "owner_gone" });
      const start = first("c1", "executing", { call: { owner: "owner_gone" } });
      mustCommit(await journal.commit({ ...start, hold: hold(["a", { timeMs: 60 }]) }));
    }
    await using journal = openJournal(scratch.stateDir, { owner: "owner_b" });
    mustCommit(await journal.commit(first("c2", "refused")));
    expect(journal.taken("a").timeMs).toBe(60);
    // The end of a call that holds nothing any more changes nothing.
    expect((await journal.commit({ ...next("c1", "executing", "completed"), spent: spent({}) })).kind).toBe("failed");
    expect(journal.taken("a").timeMs).toBe(60);
  });

  it("never becomes more than can be counted, however much it is said to be", async () => {
    using scratch = openScratch();
    await using journal = openJournal(scratch.stateDir);
    const most = Number.MAX_SAFE_INTEGER;
    for (const id of ["c1", "c2", "c3"]) {
      mustCommit(await journal.commit({ ...first(id, "executing"), hold: hold(["a", { calls: 5 }]) }));
      const used = spent({ calls: 1, tokens: most, bytes: 2 ** 62 });
      mustCommit(await journal.commit({ ...next(id, "executing", "completed"), spent: used }));
      expect(journal.taken("a")).toMatchObject({ tokens: most, bytes: most });
    }
    expect(journal.used("a").calls).toBe(3);
  });
});
