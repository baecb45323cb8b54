import { expect } from "vitest";
import type { Outcome } from "../../../src/domain/outcome.ts";
import { codeOf } from "../../support/scratch-gate.ts";
import { callRows, reportOn } from "../state-dir.ts";
import { openCountingSetUp } from "./calling-program.ts";

const CALLS = 5;

/** What a gate did in whose process one sync failed. */
export interface AfterFailedSync {
  /** In the order of the calls: five, a checkpoint asked for after the second, five again after a restart. */
  readonly codes: readonly string[];
  /** Whether the failed sync was met at all. */
  readonly met: boolean;
}

/**
 * F04. The nth sync of the process fails once, and every other one succeeds: who tried again would believe that all is
 * well. Checks what holds whichever sync it was, and gives what happened.
 */
export async function callThroughFailedSync(nth: number): Promise<AfterFailedSync> {
  using setUp = openCountingSetUp();
  const outcomes: Outcome[] = [];
  const inject = `inject=fsync,fdatasync:error=EIO:when=${nth}`;
  let checkpoint: unknown;
  {
    await using gate = setUp.start([
      "strace",
      "-f",
      "-qq",
      "-o",
      "/dev/null",
      "-e",
      "trace=fsync,fdatasync",
      "-e",
      inject,
    ]);
    for (let n = 1; n <= CALLS; n++) {
      outcomes.push(await gate.ask<Outcome>({ call: { n } }));
      if (n === 2) checkpoint = await gate.ask({ checkpoint: true });
    }
    await gate.ended();
  }
  const codes = outcomes.map(codeOf);
  const firstBad = codes.findIndex((code) => code !== "completed");
  const failedEarly = checkpoint !== null && typeof checkpoint === "object" && "error" in checkpoint;

  // Law 3, I3: what was refused did not run. A call whose end could not be recorded did.
  const ran = codes.filter((code) => code === "completed" || code === "OUTCOME_UNKNOWN").length;
  expect({ nth, runs: setUp.runs() }).toEqual({ nth, runs: ran });
  // No retry and assume: after the first bad one, nothing.
  if (firstBad >= 0)
    expect(codes.slice(firstBad + 1)).toEqual(codes.slice(firstBad + 1).map(() => "LEDGER_UNAVAILABLE"));
  if (failedEarly) expect(codes.slice(2)).toEqual(codes.slice(2).map(() => "LEDGER_UNAVAILABLE"));

  // A new process goes on, and what was acknowledged is there (I4).
  await using again = setUp.start();
  expect(await again.call()).toBe("completed");
  await again.ended();
  expect(await reportOn(setUp.stateDir)).toMatchObject({ ok: true });
  const states = new Map(callRows(setUp.stateDir).map(({ callId, state }) => [callId, state]));
  for (const outcome of outcomes) {
    if (outcome.kind === "completed") expect(states.get(outcome.callId)).toBe("completed");
    if (outcome.kind === "unknown") expect(["unknown", "completed"]).toContain(states.get(outcome.callId));
    if (outcome.kind === "refused") expect([undefined, "unknown"]).toContain(states.get(outcome.callId));
  }
  return { codes, met: firstBad >= 0 || failedEarly };
}
