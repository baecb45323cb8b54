import type { RawCall } from "../domain/call.ts";
import { isoTime } from "../domain/iso-time.ts";
import type { Outcome, Refusal } from "../domain/outcome.ts";
import { isTerminal } from "../domain/state.ts";
import type { ClaimedKey } from "../ports/keys.ts";
import type { Questions } from "../ports/questions.ts";
import { notApproved } from "./approve.ts";

/** What became of a call, for somebody who makes it again; null = it has not ended. */
export async function replayedOutcome(found: ClaimedKey, raw: RawCall, questions: Questions): Promise<Outcome | null> {
  const { callId, outcome, receipt, state } = found;
  const proof = receipt === null ? {} : { receipt };
  if (outcome !== null) return { ...outcome, ...proof } as Outcome;
  if (state === null || !isTerminal(state)) return null;
  const base = { callId, tool: raw.toolName, durationMs: 0, ...proof };
  if (state === "rejected" || state === "expired" || state === "cancelled")
    return { kind: "refused", ...base, budgetConsumed: 0, refusal: await notRun(callId, questions) };
  // Its process is gone, and so is what it would have said.
  return {
    kind: "unknown",
    ...base,
    budgetConsumed: 1,
    error: {
      code: "OUTCOME_UNKNOWN",
      message: "the call was started and its end is not known; look at what it touched before making it again",
      retryable: false,
    },
  };
}

/** Of a call that waits for an answer, for somebody who does not. */
export async function openOutcome(found: ClaimedKey, raw: RawCall, questions: Questions): Promise<Outcome | null> {
  const question = await questions.ofCall(found.callId);
  if (question === null || question.answer !== null) return null;
  const { approvalId, deadlineMs, shown } = question;
  return {
    kind: "pending",
    callId: found.callId,
    tool: raw.toolName,
    durationMs: 0,
    budgetConsumed: 0,
    ...(found.receipt && { receipt: found.receipt }),
    approval: { id: approvalId, risk: shown.risk, reasons: shown.reasons, deadline: isoTime(deadlineMs) },
  };
}

async function notRun(callId: string, questions: Questions): Promise<Refusal> {
  const answer = (await questions.ofCall(callId))?.answer ?? null;
  return answer === null || answer.kind === "approve"
    ? { code: "CANCELLED", stage: "approve", message: "the call was cancelled before it started" }
    : notApproved(answer);
}
