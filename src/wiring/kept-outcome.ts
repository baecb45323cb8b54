import type { Outcome } from "../domain/outcome.ts";
import type { Clock } from "../ports/clock.ts";
import type { Outcomes } from "../ports/outcomes.ts";

/** How long the outcome of a call may come after its end. */
const KEPT_WITHIN_MS = 1000;
const LOOK_EVERY_MS = 50;

/** How a call ended that the journal knows the end of. Null: nobody has kept it. */
export async function keptOutcome(
  callId: string,
  outcomes: Pick<Outcomes, "find">,
  clock: Pick<Clock, "after">,
): Promise<Outcome | null> {
  for (let waitedMs = 0; waitedMs < KEPT_WITHIN_MS; waitedMs += LOOK_EVERY_MS) {
    const kept = await outcomes.find(callId);
    if (kept !== null) return kept.outcome;
    await new Promise<void>((resolve) => clock.after(LOOK_EVERY_MS, resolve));
  }
  return null;
}
