import { expect } from "vitest";
import type { Outcome } from "../../../src/domain/outcome.ts";
import { type CallState, isTerminal } from "../../../src/domain/state.ts";
import { readEntries } from "../sqlite/open-journal.ts";
import { callRows, reportOn } from "../state-dir.ts";
import { openCountingSetUp } from "./calling-program.ts";

const PROCESSES = 3;
const ENTRIES_PER_CALL = 3;

/** F12: three gates on one state directory at once. Every call ran once, ended once, and is in the ledger in full. */
export async function callFromManyProcesses(callsEach: number): Promise<void> {
  using setUp = openCountingSetUp();
  await using started = new AsyncDisposableStack();
  const programs = Array.from({ length: PROCESSES }, () => started.use(setUp.start()));
  for (const program of programs) {
    for (let n = 0; n < callsEach; n++) program.tell(JSON.stringify({ call: { n } }));
  }
  const outcomes = (await Promise.all(programs.map((program) => program.ended())))
    .flat()
    .map((line): Outcome => JSON.parse(line));

  const calls = PROCESSES * callsEach;
  expect(outcomes.filter(({ kind }) => kind === "completed")).toHaveLength(calls);
  expect(setUp.runs()).toBe(calls);
  const rows = callRows(setUp.stateDir);
  expect(new Set(rows.map(({ owner }) => owner)).size).toBe(PROCESSES);
  expect(rows.filter(({ state }) => isTerminal(state as CallState))).toHaveLength(calls);

  const report = await reportOn(setUp.stateDir);
  const entries = readEntries(setUp.stateDir);
  expect(entries.filter(({ callId }) => callId !== null)).toHaveLength(calls * ENTRIES_PER_CALL);
  // All have the same rules; those that came at the same time may all have told of them.
  expect(entries.filter(({ kind }) => kind === "policy.loaded").length).toBeLessThanOrEqual(PROCESSES);
  expect(report).toMatchObject({ ok: true, entries: entries.length, anchoredTo: entries.length });
  for (const { callId, receipt } of outcomes) {
    expect(entries[(receipt?.seq ?? 0) - 1]).toMatchObject({ callId, hash: receipt?.hash, kind: "tool.executed" });
  }
}
