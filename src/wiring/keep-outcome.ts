import type { RawCall } from "../domain/call.ts";
import type { Outcome } from "../domain/outcome.ts";
import type { GateParts } from "./gate-parts.ts";
import { isTaken } from "./is-taken.ts";
import { shownParams } from "./shown-params.ts";

/** How a call ended, for those who ask later. */
export async function keepOutcome(
  { callId, rawInput }: RawCall,
  outcome: Outcome,
  { outcomes, ports }: Pick<GateParts, "outcomes" | "ports">,
): Promise<void> {
  // What another call said, made before under the same key, is kept under that call's id.
  if (outcome.kind === "pending" || outcome.callId !== callId || isTaken(outcome)) return;
  // At once, and written a little later: whoever sees in the journal that it has ended may ask in this very turn.
  await outcomes.keep(callId, { outcome, params: shownParams(rawInput, ports.redactor) });
}
