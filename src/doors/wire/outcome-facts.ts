import { CODES, type Code } from "../../domain/codes.ts";
import type { Outcome } from "../../domain/outcome.ts";

/** The code of an outcome that has one; null: it completed, or waits. */
export const codeOf = (outcome: Outcome): Code | null => {
  if (outcome.kind === "completed" || outcome.kind === "pending") return null;
  return outcome.kind === "refused" ? outcome.refusal.code : outcome.error.code;
};

/** What became of a call in the gate's own words, for wires with results of their own shape. */
export function factsOf(outcome: Outcome, code: Code | null): Record<string, unknown> {
  const { kind, callId, durationMs, receipt } = outcome;
  const retryable = "error" in outcome ? outcome.error.retryable : code !== null && CODES[code].retryable;
  return {
    kind,
    callId,
    durationMs,
    ...(receipt && { receipt }),
    ...(code !== null && { code, retryable }),
    ...(outcome.kind === "refused" && outcome.refusal.ruleId !== undefined && { ruleId: outcome.refusal.ruleId }),
    ...("truncated" in outcome && outcome.truncated && { truncated: outcome.truncated }),
  };
}
