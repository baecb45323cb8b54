import type { Code } from "../../domain/codes.ts";

/** What a code is on this wire, for requests that have an id; `result`: the result of a tool that went badly. */
type LegacyError = "result" | -32_600 | -32_601 | -32_602 | -32_603;

const DENIED = -32_600;
const INVALID = -32_602;
const INTERNAL = -32_603;

/** The codes that are errors of the request. All others are results with `isError`. */
const ERRORS: Partial<Record<Code, LegacyError>> = {
  TOOL_UNKNOWN: -32_601,
  INVALID_ARGUMENTS: INVALID,
  DEFAULT_DENY: DENIED,
  RULE_DENY: DENIED,
  POLICY_FAULT: DENIED,
  LEASE_SCOPE: DENIED,
  LEASE_EXPIRED: DENIED,
  APPROVAL_REJECTED: DENIED,
  APPROVAL_EXPIRED: DENIED,
  APPROVAL_STALE: INVALID,
  CONFLICT: INVALID,
  SANDBOX_UNAVAILABLE: INTERNAL,
  ROOT_REFUSED: INTERNAL,
  LEDGER_UNAVAILABLE: INTERNAL,
  FAULT: INTERNAL,
};

export const legacyError = (code: Code): LegacyError => ERRORS[code] ?? "result";
