import type { RawCall } from "../domain/call.ts";
import { LIMITS } from "../domain/limits.ts";
import type { Outcome } from "../domain/outcome.ts";
import type { Clock } from "../ports/clock.ts";
import type { Change } from "../ports/journal.ts";

/**
 * What the caller is about to hear is kept for whoever makes the same call again, in the very change that ends it. The
 * time that it is kept for begins now: a call that waited long for its answer is not free to be made again at its end.
 */
export function replayable(outcome: Omit<Outcome, "receipt">, { key }: RawCall, clock: Clock): Replay | null {
  if (key === undefined) return null;
  return { replay: JSON.stringify(outcome), replayUntilMs: clock.nowMs() + LIMITS.dedupeMs.default };
}

type Replay = Pick<Change, "replay" | "replayUntilMs">;
