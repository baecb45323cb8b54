import { isoTime } from "../../domain/iso-time.ts";
import type { Answered, Question } from "../../domain/question.ts";
import { cutLine, touchesInLine } from "../../domain/touch-in-words.ts";

export const STATUS_OF_ANSWER = {
  approve: "approved",
  reject: "rejected",
  expired: "timeout",
  cancelled: "cancelled",
} as const satisfies Record<Answered["kind"], string>;

const REASONS_MAX = 10;
const REASON_CHARS_MAX = 500;

/** A question as the Agent Tools seed names its parts. Its size is bounded, whatever the call is: lists hold many of them. */
export function approvalFrom(question: Question) {
  const { approvalId, callId, shown, deadlineMs, answer, receipt, sessionId } = question;
  const { plan, risk, reasons, ruleId, touches, actor, digest } = shown;
  return {
    approval_id: approvalId,
    tool_id: callId,
    tool_name: plan.tool,
    risk_level: risk,
    status: answer === null ? "pending" : STATUS_OF_ANSWER[answer.kind],
    description: touchesInLine(
      touches.map(({ touch }) => touch),
      plan.workspace,
      plan.operands,
    ),
    reasons: reasons.slice(0, REASONS_MAX).map((reason) => cutLine(reason, REASON_CHARS_MAX)),
    rule_id: ruleId,
    requested_by: actor,
    session_id: sessionId,
    plan_digest: digest,
    deadline: isoTime(deadlineMs),
    timeout_seconds: Math.max(0, Math.ceil((deadlineMs - Date.now()) / 1000)),
    resolved_by: answer !== null && "who" in answer ? answer.who : null,
    reason: (answer !== null && "reason" in answer ? answer.reason : null) ?? null,
    resolved_at_seq: receipt?.seq ?? null,
  };
}
