import type { Code } from "../../domain/codes.ts";
import type { Outcome } from "../../domain/outcome.ts";
import type { A2aError, A2aReason } from "./a2a-error.ts";

/** What a code is on this wire. `task`: a task in its state, which says why. Else the request is answered by that error. */
type WireCode =
  | "task"
  | Extract<A2aReason, "INVALID_PARAMS" | "UNSUPPORTED_OPERATION" | "UNAVAILABLE" | "INTERNAL_ERROR">;

/** Complete by type: a new code does not compile until it has its place here. */
const WIRE_CODES = {
  TOOL_UNKNOWN: "INVALID_PARAMS",
  TOOL_CHANGED: "task",
  INVALID_ARGUMENTS: "INVALID_PARAMS",
  PATH_INVALID: "INVALID_PARAMS",
  FILE_NOT_FOUND: "task",
  FILE_EXISTS: "task",
  NOT_REGULAR_FILE: "task",
  NOT_DIRECTORY: "task",
  NOT_TEXT: "task",
  FILE_TOO_LARGE: "task",
  ACCESS_DENIED: "task",
  INVALID_OFFSET: "task",
  CONTENT_NOT_FOUND: "task",
  MULTIPLE_MATCHES: "task",
  INVALID_PATTERN: "task",
  REDACTED_CONTENT: "task",
  IO_ERROR: "task",
  DEFAULT_DENY: "task",
  RULE_DENY: "task",
  POLICY_FAULT: "task",
  LEASE_SCOPE: "task",
  LEASE_EXPIRED: "task",
  LEASE_REVOKED: "task",
  ARG_OPTION_INJECTION: "task",
  COMMAND_NOT_ALLOWED: "task",
  PATH_NOT_ALLOWED: "task",
  TEMPLATE_MISSING_VALUE: "task",
  TEMPLATE_UNSAFE_SLOT: "task",
  CIRCUIT_OPEN: "task",
  BUDGET_EXCEEDED: "task",
  DEDUPE_MISMATCH: "UNSUPPORTED_OPERATION",
  DEDUPE_FULL: "UNAVAILABLE",
  SESSION_UNKNOWN: "task",
  APPROVAL_REJECTED: "task",
  APPROVER_NOT_ELIGIBLE: "task",
  EGRESS_BLOCKED: "task",
  ROOT_REFUSED: "INTERNAL_ERROR",
  APPROVAL_EXPIRED: "task",
  APPROVAL_STALE: "UNSUPPORTED_OPERATION",
  APPROVAL_UNKNOWN: "UNSUPPORTED_OPERATION",
  APPROVAL_CONFLICT: "UNSUPPORTED_OPERATION",
  SHELL_TOO_COMPLEX: "task",
  CONFLICT: "task",
  ILLEGAL_TRANSITION: "UNSUPPORTED_OPERATION",
  INTERACTIVE_BLOCKED: "task",
  RATE_LIMITED: "UNAVAILABLE",
  SANDBOX_UNAVAILABLE: "UNAVAILABLE",
  LEDGER_UNAVAILABLE: "UNAVAILABLE",
  CONFIG_INVALID: "INTERNAL_ERROR",
  CONFIG_UNTRUSTED: "INTERNAL_ERROR",
  SCHEMA_INVALID: "task",
  SCHEMA_TOO_COMPLEX: "task",
  STORAGE_FULL: "UNAVAILABLE",
  BLOB_NOT_FOUND: "task",
  BLOB_DAMAGED: "task",
  BLOB_TOO_LARGE: "task",
  HASH_INVALID: "task",
  HASH_MISMATCH: "task",
  ARTIFACT_UNKNOWN: "task",
  ARTIFACT_EXISTS: "task",
  MODEL_REFUSED: "task",
  MODEL_UNAVAILABLE: "task",
  LIMIT_MEMORY: "task",
  LIMIT_PROCESSES: "task",
  LIMIT_CPU: "task",
  LIMIT_FSIZE: "task",
  LIMIT_FILES: "task",
  LIMIT_DISK: "task",
  LIMIT_OUTPUT: "task",
  SPAWN_FAILED: "task",
  CONNECT_FAILED: "task",
  EXECUTOR_UNAVAILABLE: "task",
  SECRET_MISSING: "task",
  BAD_RESPONSE: "task",
  CANCELLED: "task",
  TIMEOUT: "task",
  TOOL_FAILED: "task",
  OUTCOME_UNKNOWN: "task",
  FAULT: "INTERNAL_ERROR",
} as const satisfies Record<Code, WireCode>;

/** The error that answers the message which made a call. Null: its task tells, as that of every call that ran. */
export function errorOfOutcome(outcome: Outcome): A2aError | null {
  if (outcome.kind !== "refused") return null;
  const { refusal, callId, receipt } = outcome;
  const { code, message, hint, errors } = refusal;
  // What could not be recorded has no task that could tell of it.
  const wire = WIRE_CODES[code] === "task" && receipt === undefined ? "INTERNAL_ERROR" : WIRE_CODES[code];
  if (wire === "task") return null;
  return {
    reason: wire,
    message,
    code,
    ...(receipt && { taskId: callId }),
    ...(hint !== undefined && { hint }),
    ...(errors && { errors }),
    ...(wire === "UNAVAILABLE" && { retryAfterSeconds: 1 }),
  };
}
