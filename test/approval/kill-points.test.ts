import { describe, expect, it } from "vitest";
import { NO, YES } from "../support/open-approver.ts";
import { entriesIn, rowsIn } from "../support/scratch-gate.ts";
import { startProgram } from "../support/started-program.ts";
import { openDeskFolder, openDeskGate, runsIn, stateDirOf } from "./desk-gate.ts";
import { KILL_POINTS, killAt } from "./killed-at.ts";

describe("kill -9 while a question is open", () => {
  it("of a caller who waits: the next process cancels it, and nobody can answer it any more", async () => {
    using desk = openDeskFolder();
    const { folder } = desk;
    await using caller = startProgram("sits-at-desk.ts", [folder]);
    caller.tell(JSON.stringify({ wait: true }));
    const id = JSON.parse(await caller.line());
    await caller.kill();
    expect(rowsIn(stateDirOf(folder)).map(({ state }) => state)).toEqual(["awaiting_approval"]);

    const next = openDeskGate(folder);
    expect(await next.approvals.list()).toEqual([]);
    const answered = await next.approvals.answer(id, YES);
    expect(answered).toMatchObject({
      kind: "conflict",
      question: { state: "cancelled", answer: { kind: "cancelled" } },
    });
    expect("question" in answered && next.approvals.carryOn(answered.question)).toBeNull();
    expect(entriesIn(stateDirOf(folder)).at(-1)).toMatchObject({
      kind: "tool.executed",
      body: { outcome: "cancelled", code: "CANCELLED" },
    });
    expect(runsIn(folder).size).toBe(0);
    await next.close();
  });

  it("of a caller who waits, answered by somebody who had the desk open before: approved, and run by nobody", async () => {
    using desk = openDeskFolder();
    const { folder } = desk;
    const other = openDeskGate(folder);
    await using caller = startProgram("sits-at-desk.ts", [folder]);
    caller.tell(JSON.stringify({ wait: true }));
    const id = JSON.parse(await caller.line());
    expect(await other.approvals.list()).toMatchObject([{ approvalId: id }]); // connected while everything is in order
    await caller.kill();
    const answered = await other.approvals.answer(id, YES);
    expect(answered).toMatchObject({ kind: "recorded", question: { state: "approved", kept: null } });
    expect("question" in answered && other.approvals.carryOn(answered.question)).toBeNull();
    const next = openDeskGate(folder);
    expect(await next.approvals.find(id)).toMatchObject({ state: "cancelled" });
    expect(runsIn(folder).size).toBe(0);
    expect(await next.ledger.verify()).toMatchObject({ ok: true });
    await Promise.all([other.close(), next.close()]);
  });

  it.each([
    ["yes", YES, "completed", 1],
    ["no", NO, "rejected", 0],
  ] as const)(
    "of a caller who does not wait: it stays open, and %s after the restart counts",
    async (_, answer, state, runs) => {
      using desk = openDeskFolder();
      const { folder } = desk;
      await using caller = startProgram("sits-at-desk.ts", [folder]);
      caller.tell(JSON.stringify({ ask: 1 }));
      const [id] = JSON.parse(await caller.line());
      await caller.kill();

      const next = openDeskGate(folder);
      expect(await next.approvals.list()).toMatchObject([{ approvalId: id, state: "awaiting_approval", answer: null }]);
      const answered = await next.approvals.answer(id, answer);
      expect(answered.kind).toBe("recorded");
      if ("question" in answered) await next.approvals.carryOn(answered.question);
      // Once is enough: the same question again is no longer anybody's to run.
      const again = await next.approvals.find(id);
      expect([again?.state, again && next.approvals.carryOn(again)]).toEqual([state, null]);
      expect([...runsIn(folder).values()]).toEqual(runs === 0 ? [] : [runs]);
      expect(again?.kept).toBeNull(); // the unredacted call is not kept any longer than needed
      await next.close();
    },
  );
});

describe("killed while a call is approved and taken over, and then taken over by two at once", () => {
  it.concurrent.each(KILL_POINTS)("%s: the next finds it %s", (point, found) => killAt(point, found, 2));
});
