import type { CallState } from "../../domain/state.ts";
import type { Execution } from "../../wiring/executions.ts";
import type { STATUSES } from "./schemas.ts";

type Status = (typeof STATUSES)[number];

/** The states of a call as the Agent Tools seed names them. `refused` is two of them: see `statusFrom`. */
const STATUS = {
  awaiting_approval: "AWAITING_APPROVAL",
  approved: "APPROVED",
  executing: "EXECUTING",
  completed: "COMPLETED",
  failed: "FAILED",
  timed_out: "FAILED",
  cancelled: "CANCELLED",
  refused: "DENIED",
  rejected: "REJECTED",
  expired: "TIMEOUT",
  unknown: "OUTCOME_UNKNOWN",
} as const satisfies Record<CallState, Status>;

/** Codes of a call that made no sense, which is not the same as one that may not be. */
const INVALID: ReadonlySet<string> = new Set(["INVALID_ARGUMENTS", "TOOL_UNKNOWN", "PATH_INVALID", "FILE_NOT_FOUND"]);

/** Whether a client that runs it has it already. Null: no client does. */
type Standing = "offered" | "taken" | null;

/** INVARIANT (seed): a call that a client runs is APPROVED until one has it. */
function statusFrom({ state, error }: Execution, standing: Standing): Status {
  if (state === "executing" && standing === "offered") return STATUS.approved;
  return state === "refused" && INVALID.has(error?.code ?? "") ? "FAILED" : STATUS[state];
}

export const statesWith = (status: Status): readonly CallState[] =>
  (Object.keys(STATUS) as CallState[]).filter(
    (state) =>
      STATUS[state] === status ||
      (status === "FAILED" && state === "refused") ||
      (status === "APPROVED" && state === "executing"),
  );

const ERROR_MAX = 1000;

/** A call as the Agent Tools seed keeps it. */
export function executionRecord(execution: Execution, standing: Standing = null) {
  const { callId, actor, project, sessionId, approvalId, tool, params, outcome, risk, error } = execution;
  return {
    id: callId,
    user_id: actor,
    project_id: project,
    session_id: sessionId,
    approval_id: approvalId,
    tool_name: tool,
    tool_params: params,
    result: outcome,
    plan_digest: execution.planDigest,
    params_digest: execution.inputDigest,
    risk_level: risk,
    requires_approval: approvalId !== null,
    status: statusFrom(execution, standing),
    error: error?.message.slice(0, ERROR_MAX) ?? null,
    error_type: error?.code ?? null,
    execution_time_ms: execution.durationMs === null ? null : Math.round(execution.durationMs),
    created_at: execution.createdAt,
    completed_at: execution.completedAt,
    approved_at: execution.approvedAt,
  };
}
