import type { Code } from "../../domain/codes.ts";

/**
 * What a code is on this wire. `result`: a tool result with `isError`, which the model reads and can react to. A number:
 * a JSON-RPC error, for requests that named no tool and for a gate that can't do its work.
 */
export type WireError = "result" | typeof INVALID_PARAMS | typeof INTERNAL_ERROR;

const INVALID_PARAMS = -32_602;
const INTERNAL_ERROR = -32_603;

/** Complete by type: a new code does not compile until it has its place here. */
export const WIRE_ERRORS = {
  TOOL_UNKNOWN: INVALID_PARAMS,
  INVALID_ARGUMENTS: "result",
  PATH_INVALID: "result",
  FILE_NOT_FOUND: "result",
  FILE_EXISTS: "result",
  NOT_REGULAR_FILE: "result",
  NOT_DIRECTORY: "result",
  NOT_TEXT: "result",
  FILE_TOO_LARGE: "result",
  ACCESS_DENIED: "result",
  INVALID_OFFSET: "result",
  CONTENT_NOT_FOUND: "result",
  MULTIPLE_MATCHES: "result",
  INVALID_PATTERN: "result",
  REDACTED_CONTENT: "result",
  IO_ERROR: "result",
  DEFAULT_DENY: "result",
  RULE_DENY: "result",
  POLICY_FAULT: "result",
  LEASE_SCOPE: "result",
  LEASE_EXPIRED: "result",
  APPROVAL_REJECTED: "result",
  APPROVAL_EXPIRED: "result",
  APPROVAL_STALE: "result",
  APPROVAL_UNKNOWN: "result",
  RATE_LIMITED: "result",
  APPROVAL_CONFLICT: "result",
  SHELL_TOO_COMPLEX: "result",
  CONFLICT: "result",
  SANDBOX_UNAVAILABLE: INTERNAL_ERROR,
  ROOT_REFUSED: INTERNAL_ERROR,
  INTERACTIVE_BLOCKED: "result",
  LIMIT_MEMORY: "result",
  LIMIT_PROCESSES: "result",
  LIMIT_CPU: "result",
  LIMIT_FSIZE: "result",
  LIMIT_DISK: "result",
  LIMIT_OUTPUT: "result",
  SPAWN_FAILED: "result",
  EGRESS_BLOCKED: "result",
  CONNECT_FAILED: "result",
  BAD_RESPONSE: "result",
  TOOL_CHANGED: "result",
  CIRCUIT_OPEN: "result",
  LEDGER_UNAVAILABLE: INTERNAL_ERROR,
  ILLEGAL_TRANSITION: INTERNAL_ERROR,
  CONFIG_INVALID: INTERNAL_ERROR,
  CONFIG_UNTRUSTED: INTERNAL_ERROR,
  SCHEMA_INVALID: "result",
  SCHEMA_TOO_COMPLEX: "result",
  BLOB_NOT_FOUND: "result",
  BLOB_DAMAGED: "result",
  BLOB_TOO_LARGE: "result",
  HASH_INVALID: "result",
  STORAGE_FULL: "result",
  CANCELLED: "result",
  TIMEOUT: "result",
  TOOL_FAILED: "result",
  OUTCOME_UNKNOWN: "result",
  FAULT: INTERNAL_ERROR,
} as const satisfies Record<Code, WireError>;
