import type { Code } from "../domain/codes.ts";

const CORRECT = "Correct the call and make it again.";
const ELSEWHERE =
  "Don't try to reach the same thing in another way; do without it, or tell the user what you need and why.";
const ASK = "Don't make it again by yourself; ask the user how to go on.";
const OPERATOR = "This is nothing that you can mend; tell the user.";
const LATER = "Make the same call again later.";

/**
 * What a model should do about each code. Null: the message and its hint say all there is to say.
 * Complete by type: a new code does not compile before somebody has thought of the model that gets it.
 */
export const ADVICE = {
  TOOL_UNKNOWN: "Use one of the tools that you were given, by its exact name.",
  TOOL_CHANGED: OPERATOR,
  INVALID_ARGUMENTS: CORRECT,
  PATH_INVALID: null,
  FILE_NOT_FOUND: null,
  FILE_EXISTS: null,
  NOT_REGULAR_FILE: null,
  NOT_DIRECTORY: null,
  NOT_TEXT: null,
  FILE_TOO_LARGE: null,
  ACCESS_DENIED: null,
  INVALID_OFFSET: null,
  CONTENT_NOT_FOUND: null,
  MULTIPLE_MATCHES: null,
  INVALID_PATTERN: null,
  REDACTED_CONTENT: null,
  IO_ERROR: LATER,
  DEFAULT_DENY: ELSEWHERE,
  RULE_DENY: ELSEWHERE,
  POLICY_FAULT: OPERATOR,
  LEASE_SCOPE: ELSEWHERE,
  LEASE_EXPIRED: OPERATOR,
  LEASE_REVOKED: OPERATOR,
  SESSION_UNKNOWN: OPERATOR,
  BUDGET_EXCEEDED: `What you were given is used up. ${OPERATOR}`,
  DEDUPE_MISMATCH: "Use another key for another call.",
  APPROVAL_REJECTED: `A person said no. ${ELSEWHERE}`,
  APPROVAL_EXPIRED: ASK,
  APPROVAL_STALE: CORRECT,
  APPROVAL_UNKNOWN: OPERATOR,
  APPROVAL_CONFLICT: OPERATOR,
  CONFLICT: "Look at what is there now, then make the call again.",
  SANDBOX_UNAVAILABLE: OPERATOR,
  SPAWN_FAILED: OPERATOR,
  ROOT_REFUSED: OPERATOR,
  INTERACTIVE_BLOCKED: "Use a tool that takes all it needs as arguments.",
  LIMIT_MEMORY: "Do it in smaller parts, with less in memory.",
  LIMIT_PROCESSES: "Do less at a time.",
  LIMIT_CPU: "Do it in smaller parts.",
  LIMIT_FSIZE: "Write smaller files.",
  LIMIT_DISK: "Write less.",
  LIMIT_OUTPUT: "Print less: filter the output, or write it to a file.",
  LEDGER_UNAVAILABLE: OPERATOR,
  ILLEGAL_TRANSITION: OPERATOR,
  CONFIG_INVALID: OPERATOR,
  CONFIG_UNTRUSTED: OPERATOR,
  SCHEMA_INVALID: OPERATOR,
  SCHEMA_TOO_COMPLEX: OPERATOR,
  CANCELLED: ASK,
  TIMEOUT: "It may have done part of its work. Look at what it did, then do less in one call.",
  TOOL_FAILED: null,
  OUTCOME_UNKNOWN: "It may have taken effect, wholly or in part, or not at all. Find out before you do anything else.",
  FAULT: OPERATOR,
  RATE_LIMITED: "Wait until the user has answered what was asked before, and ask for less.",
  EGRESS_BLOCKED: "Do it without this address; the user decides what may be reached.",
  CONNECT_FAILED: null,
  BAD_RESPONSE: null,
  SHELL_TOO_COMPLEX: "Split the command into simpler ones.",
  BLOB_NOT_FOUND: null,
  BLOB_DAMAGED: null,
  BLOB_TOO_LARGE: null,
  HASH_INVALID: "Correct the call and make it again.",
  CIRCUIT_OPEN: LATER,
  STORAGE_FULL: "This is nothing that you can mend; tell the user.",
} as const satisfies Record<Code, string | null>;
