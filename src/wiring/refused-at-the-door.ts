import type { RawCall } from "../domain/call.ts";
import type { Outcome, Refusal } from "../domain/outcome.ts";
import { type Explanation, unplanned } from "../pipeline/explain.ts";

/** Of a call that was not let in, and of which nothing is recorded. */
export const refusedAtTheDoor = (
  { callId, toolName }: Pick<RawCall, "callId" | "toolName">,
  refusal: Refusal,
): Outcome => ({
  kind: "refused",
  callId,
  tool: toolName,
  durationMs: 0,
  budgetConsumed: 0,
  refusal,
});

/** Of one that was only to be explained. */
export const explainedAtTheDoor = (refusal: Refusal): Explanation => unplanned(refusal);

export const CLOSED: Refusal = {
  code: "CANCELLED",
  stage: "resolve",
  message: "the gate is closed",
  hint: "open it again",
};
