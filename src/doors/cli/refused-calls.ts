import type { Outcome, Refusal } from "../../domain/outcome.ts";
import { refusedAtTheDoor } from "../../wiring/refused-at-the-door.ts";
import { systemIds } from "../../wiring/system-ids.ts";

/** Outcomes of calls that no gate has seen, all for the same reason. Each has its id, and none is in a ledger: nothing was run. */
export function refusedCalls(refusal: Refusal): (tool: string, own?: Refusal) => Outcome {
  const ids = systemIds(Date.now);
  return (tool, own = refusal) => refusedAtTheDoor({ callId: ids.next("call"), toolName: tool }, own);
}
