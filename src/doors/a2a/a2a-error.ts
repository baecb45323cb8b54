import type { Code } from "../../domain/codes.ts";
import type { JsonObject } from "../../domain/json.ts";
import type { InputError } from "../../domain/outcome.ts";

interface ErrorFacts {
  /** Of JSON-RPC. */
  readonly code: number;
  /** Of HTTP+JSON. */
  readonly status: number;
  /** Of google.rpc. */
  readonly name: string;
  /** What HTTP itself has to say, to whoever stands between: then JSON-RPC comes with this status, too. */
  readonly isOfHttp?: true;
}

/** The gate said no: outside of what JSON-RPC and A2A keep for themselves. */
const NOT_GIVEN = -31_000;
const INTERNAL = -32_603;

/** Why a request is answered by an error, by the reasons of A2A 1.0.1 where it has one. */
export const A2A_ERRORS = {
  TASK_NOT_FOUND: { code: -32_001, status: 404, name: "NOT_FOUND" },
  TASK_NOT_CANCELABLE: { code: -32_002, status: 400, name: "FAILED_PRECONDITION" },
  PUSH_NOTIFICATION_NOT_SUPPORTED: { code: -32_003, status: 400, name: "FAILED_PRECONDITION" },
  UNSUPPORTED_OPERATION: { code: -32_004, status: 400, name: "FAILED_PRECONDITION" },
  CONTENT_TYPE_NOT_SUPPORTED: { code: -32_005, status: 400, name: "INVALID_ARGUMENT" },
  VERSION_NOT_SUPPORTED: { code: -32_009, status: 400, name: "FAILED_PRECONDITION" },
  PARSE_ERROR: { code: -32_700, status: 400, name: "INVALID_ARGUMENT" },
  INVALID_REQUEST: { code: -32_600, status: 400, name: "INVALID_ARGUMENT" },
  METHOD_NOT_FOUND: { code: -32_601, status: 404, name: "NOT_FOUND" },
  METHOD_NOT_ALLOWED: { code: -32_601, status: 405, name: "UNIMPLEMENTED", isOfHttp: true },
  INVALID_PARAMS: { code: -32_602, status: 400, name: "INVALID_ARGUMENT" },
  INTERNAL_ERROR: { code: INTERNAL, status: 500, name: "INTERNAL" },
  UNAVAILABLE: { code: INTERNAL, status: 503, name: "UNAVAILABLE", isOfHttp: true },
  RESOURCE_EXHAUSTED: { code: INTERNAL, status: 429, name: "RESOURCE_EXHAUSTED", isOfHttp: true },
  BODY_TOO_LARGE: { code: -32_600, status: 413, name: "INVALID_ARGUMENT", isOfHttp: true },
  PERMISSION_DENIED: { code: NOT_GIVEN, status: 403, name: "PERMISSION_DENIED", isOfHttp: true },
} as const satisfies Record<string, ErrorFacts>;

export type A2aReason = keyof typeof A2A_ERRORS;

export interface A2aError {
  readonly reason: A2aReason;
  /** What happened this time, in a sentence. */
  readonly message: string;
  readonly hint?: string;
  /** All that is wrong with the request. */
  readonly errors?: readonly InputError[];
  /** The gate's own, where it has one for this. */
  readonly code?: Code;
  /** The call that came to nothing: it can be asked for. */
  readonly taskId?: string;
  readonly retryAfterSeconds?: number;
}

const A2A_DOMAIN = "a2a-protocol.org";
const OWN_DOMAIN = "toolgate";
const OWN_REASONS: ReadonlySet<A2aReason> = new Set([
  "UNAVAILABLE",
  "RESOURCE_EXHAUSTED",
  "BODY_TOO_LARGE",
  "PERMISSION_DENIED",
]);
const TYPE = "type.googleapis.com/google.rpc";

/** `google.rpc` details: the reason, then what is wrong with which field. */
export function detailsOf({ reason, hint, errors, code, taskId, retryAfterSeconds }: A2aError): readonly JsonObject[] {
  const metadata = { ...(code && { code }), ...(hint && { hint }), ...(taskId && { taskId }) };
  const info = {
    "@type": `${TYPE}.ErrorInfo`,
    reason,
    domain: OWN_REASONS.has(reason) ? OWN_DOMAIN : A2A_DOMAIN,
    ...(Object.keys(metadata).length > 0 && { metadata }),
  };
  const fieldViolations = (errors ?? []).map(({ field, rule, message }) => ({
    field,
    reason: rule,
    description: message,
  }));
  return [
    info,
    ...(fieldViolations.length > 0 ? [{ "@type": `${TYPE}.BadRequest`, fieldViolations }] : []),
    ...(retryAfterSeconds === undefined ? [] : [{ "@type": `${TYPE}.RetryInfo`, retryDelay: `${retryAfterSeconds}s` }]),
  ];
}

/** Headers of an answer that is an error. Who sends too much may still be sending it. */
export const headersOfError = ({ reason, retryAfterSeconds }: A2aError): Readonly<Record<string, string>> => ({
  ...(retryAfterSeconds !== undefined && { "Retry-After": String(retryAfterSeconds) }),
  ...(reason === "BODY_TOO_LARGE" && { Connection: "close" }),
});
