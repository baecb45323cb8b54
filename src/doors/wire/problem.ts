import { CODES, type Code } from "../../domain/codes.ts";
import type { InputError, Refusal } from "../../domain/outcome.ts";
import { HTTP_STATUS } from "./http-status.ts";
import { REQUEST_CODES, type RequestCode } from "./request-codes.ts";

export type WireCode = Code | RequestCode;

export interface ProblemDetail {
  /** What happened this time, in a sentence. */
  readonly detail: string;
  readonly hint?: string;
  readonly errors?: readonly InputError[];
  readonly retryAfterSeconds?: number;
  /** More members, by the names that the wire has for them. */
  readonly more?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** RFC 9457. For requests that never became a call; what became of a call is an outcome. */
export function problem(code: WireCode, given: ProblemDetail): Response {
  const { detail, hint, errors, retryAfterSeconds, more, headers } = given;
  const status = statusOfCode(code);
  const body = {
    type: `urn:toolgate:problem:${code}`,
    title: titleOf(code),
    status,
    detail,
    code,
    ...(hint !== undefined && { hint }),
    ...(errors !== undefined && { errors }),
    ...(retryAfterSeconds !== undefined && { retry_after: retryAfterSeconds }),
    ...more,
  };
  return new Response(JSON.stringify(body), {
    status,
    headers: {
      "Content-Type": "application/problem+json",
      ...(retryAfterSeconds !== undefined && { "Retry-After": String(retryAfterSeconds) }),
      ...headers,
    },
  });
}

export const problemFromRefusal = ({ code, message, hint, errors }: Refusal): Response =>
  problem(code, { detail: message, ...(hint && { hint }), ...(errors && { errors }), ...retryOf(code) });

const statusOfCode = (code: WireCode): number => (isRequestCode(code) ? REQUEST_CODES[code].status : HTTP_STATUS[code]);

const titleOf = (code: WireCode): string => (isRequestCode(code) ? REQUEST_CODES[code].means : CODES[code].means);

const isRequestCode = (code: WireCode): code is RequestCode => Object.hasOwn(REQUEST_CODES, code);

const RETRY_SECONDS = 1;

const retryOf = (code: Code): { retryAfterSeconds?: number } =>
  CODES[code].retryable ? { retryAfterSeconds: RETRY_SECONDS } : {};
