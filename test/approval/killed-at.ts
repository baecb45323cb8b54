import { expect } from "vitest";
import type { CallState } from "../../src/domain/state.ts";
import type { Border } from "../../src/ports/probe.ts";
import { rowsIn } from "../support/scratch-gate.ts";
import { startProgram } from "../support/started-program.ts";
import { openDeskFolder, openDeskGate, runsIn, stateDirOf } from "./desk-gate.ts";

/** `given`: the yes is durable, and nobody has begun to act on it. */
type KillPoint = Border | "given";

/** Where a process can be killed that approves a call and goes on with it, and what the next one finds. */
export const KILL_POINTS: readonly (readonly [KillPoint, CallState])[] = [
  ["given", "approved"],
  ["received", "approved"],
  ["resolved", "approved"],
  ["validated", "approved"],
  ["planned", "approved"],
  ["judged", "approved"],
  ["approved", "approved"],
  ["started", "unknown"],
  ["ran", "unknown"],
  ["finished", "unknown"],
  ["recorded", "completed"],
];

/** Another process asked and is gone. Then several at once go on with the call: it runs once, or not at all. */
export async function killAt(point: KillPoint, found: CallState, takers: number): Promise<void> {
  using desk = openDeskFolder();
  const { folder } = desk;
  const id = await askAndGo(folder);
  await using approver = startProgram("sits-at-desk.ts", [folder, point]);
  approver.tell(JSON.stringify({ both: id, who: "ann" }));
  await expect(approver.line()).rejects.toThrow("ended and said nothing");

  const next = Array.from({ length: takers }, () => openDeskGate(folder));
  const questions = await Promise.all(next.map((gate) => gate.approvals.find(id)));
  expect(rowsIn(stateDirOf(folder)).map(({ state }) => state)).toEqual([found]);
  expect(questions[0]).toMatchObject({ state: found, answer: { kind: "approve", who: "ann" } });
  const outcomes = await Promise.all(
    next.map((gate, i) => {
      const question = questions[i];
      return question ? gate.approvals.carryOn(question) : null;
    }),
  );
  const runs = runsIn(folder).values().toArray();
  if (found === "approved") {
    expect(outcomes.filter((outcome) => outcome?.kind === "completed")).toHaveLength(1);
    expect(runs).toEqual([1]);
  } else {
    expect(outcomes).toEqual(next.map(() => null));
    expect(runs).toEqual(point === "started" ? [] : [1]);
  }
  expect(rowsIn(stateDirOf(folder))[0]?.state).toBe(found === "approved" ? "completed" : found);
  expect(await next[0]?.ledger.verify()).toMatchObject({ ok: true });
  await Promise.all(next.map((gate) => gate.close()));
}

/** A process makes a call that nobody waits for, and ends. */
async function askAndGo(folder: string): Promise<string> {
  await using caller = startProgram("sits-at-desk.ts", [folder]);
  caller.tell(JSON.stringify({ ask: 1 }));
  const [id] = JSON.parse(await caller.line());
  await caller.kill();
  return id;
}
