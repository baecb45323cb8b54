import type { Code } from "../../domain/codes.ts";

/** Why an upstream can't be spoken to. Nothing of the call was sent. */
export interface UpstreamFault {
  readonly code: Extract<
    Code,
    | "SPAWN_FAILED"
    | "CONNECT_FAILED"
    | "SANDBOX_UNAVAILABLE"
    | "ROOT_REFUSED"
    | "CIRCUIT_OPEN"
    | "BAD_RESPONSE"
    | "CANCELLED"
    | "SECRET_MISSING"
    | "LEDGER_UNAVAILABLE"
    | "TOOL_CHANGED"
  >;
  readonly message: string;
  readonly hint?: string;
  readonly retryAfterMs?: number;
  /** Its program ended by itself before it answered. */
  readonly hasEnded?: true;
  /** It is of 2026-07-28 and said so only when nobody waited for that any more. */
  readonly isLate?: true;
}

export const fault = (code: UpstreamFault["code"], message: string, hint?: string): UpstreamFault => ({
  code,
  message,
  ...(hint !== undefined && { hint }),
});
