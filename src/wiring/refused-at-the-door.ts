import type { RawCall } from "../domain/call.ts";
import type { Outcome, Refusal } from "../domain/outcome.ts";

/** Of a call that was not let in, and of which nothing is recorded. */
export const refusedAtTheDoor = ({ callId, toolName }: RawCall, refusal: Refusal): Outcome => ({
  kind: "refused",
  callId,
  tool: toolName,
  durationMs: 0,
  budgetConsumed: 0,
  refusal,
});

export const CLOSED: Refusal = {
  code: "CANCELLED",
  stage: "resolve",
  message: "the gate is closed",
  hint: "open it again",
};
