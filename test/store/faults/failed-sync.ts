import { expect } from "vitest";
import type { Outcome } from "../../../src/domain/outcome.ts";
import { codeOf } from "../../support/scratch-gate.ts";
import { failing, startCommitting } from "../committing-program.ts";
import { readEntries } from "../sqlite/open-journal.ts";
import { callRows, openScratch, reportOn } from "../state-dir.ts";
import { openCountingSetUp } from "./calling-program.ts";

const CALLS = 5;

/** What a gate did in whose process one sync failed. */
export interface AfterFailedSync {
  /** In the order of the calls: five, a checkpoint asked for after the second, five again after a restart. */
  readonly codes: readonly string[];
  /** Whether the failed sync was met at all. */
  readonly met: boolean;
}

/** `fdatasync` are the syncs of the log that we make, at each commit; `fsync` are SQLite's and those of other files. */
export type Sync = readonly [syscall: "fsync" | "fdatasync", nth: number, error?: string];

/**
 * F04. One sync of the process fails, and every other one succeeds: who tried again would believe that all is well.
 * Checks what holds whichever sync it was, and gives what happened.
 */
export async function callThroughFailedSync([syscall, nth, error]: Sync): Promise<AfterFailedSync> {
  using setUp = openCountingSetUp();
  const outcomes: Outcome[] = [];
  let checkpoint: unknown;
  {
    await using gate = setUp.start(failing(syscall, nth, error));
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
  expect({ syscall, nth, runs: setUp.runs() }).toEqual({ syscall, nth, runs: ran });
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

const ROUNDS_MAX = 100;
const ROUNDS_AFTER = 2;

/**
 * F04 for a journal alone: rounds of so many changes at once, until a sync fails. That round and all after it are refused,
 * nothing of those after it is written, and nothing is signed for any more.
 */
export async function commitThroughFailedSync({
  atOnce,
  nth,
  error = "EIO",
}: {
  readonly atOnce: number;
  readonly nth: number;
  readonly error?: string;
}): Promise<void> {
  using scratch = openScratch();
  const { stateDir } = scratch;
  const rounds: (readonly string[])[] = [];
  {
    await using journal = startCommitting(stateDir, { wrapper: failing("fdatasync", nth, error) });
    for (let round = 1, after = 0; round <= ROUNDS_MAX && after < ROUNDS_AFTER; round++) {
      if (rounds.at(-1)?.includes("LEDGER_UNAVAILABLE")) after += 1;
      rounds.push(await journal.commit(...Array.from({ length: atOnce }, (_, n) => `${round}.${n}`)));
    }
    await journal.ask({ move: 5000 });
    expect(await journal.ask({ checkpoint: true })).toHaveProperty("error");
    await journal.ended();
  }
  const bad = rounds.findIndex((round) => round.includes("LEDGER_UNAVAILABLE")) + 1;
  expect(bad).toBe(nth);
  const codes = rounds.map((_, i) => (i + 1 < bad ? "committed" : "LEDGER_UNAVAILABLE"));
  expect({ nth, rounds }).toEqual({ nth, rounds: codes.map((code) => Array(atOnce).fill(code)) });
  // What was not acknowledged may be there; what was asked for afterwards was not even tried.
  expect(readEntries(stateDir)).toHaveLength(bad * atOnce);
  expect(await reportOn(stateDir)).toMatchObject({ ok: true, checkpoints: 0 });

  await using again = startCommitting(stateDir);
  expect(await again.commit("after")).toEqual(["committed"]);
  await again.ended();
  expect(await reportOn(stateDir)).toMatchObject({ ok: true, anchoredTo: bad * atOnce + 1 });
}
