import { ResourceNotFoundError } from "@modelcontextprotocol/client";
import { BROKEN_OFF } from "./events-from.ts";
import type { UpstreamAnswer } from "./upstream-answer.ts";
import { WebFetchError } from "./web-fetch.ts";
import { statusOf } from "./why-not-open.ts";

const NOT_FOUND = 404;

/**
 * What became of a request that the SDK says went wrong. `session over`: it was an answer to nothing but the session, which the server
 * knows no more (MCP 2025-11-25, session management), so nothing was done.
 */
export function answerFromError(error: unknown, session: "has session" | "has none"): UpstreamAnswer | "session over" {
  const failed = error instanceof WebFetchError ? error : (error as { readonly cause?: unknown }).cause;
  if (failed instanceof WebFetchError)
    return failed.how === "unsent" ? { kind: "unsent", fault: failed.fault } : { kind: "lost" };
  const status = statusOf(error);
  // Who has no sessions may say so of anything, also when it is done.
  if (status === NOT_FOUND && session === "has session") return "session over";
  if (status === 401 || status === 403)
    return { kind: "error", code: status, message: "it takes no such call with the token that it was given" };
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown };
  // The code of an error of the platform is a number as well.
  if (code === BROKEN_OFF || error instanceof DOMException) return { kind: "lost" };
  if (error instanceof ResourceNotFoundError) return { kind: "missing" };
  if (typeof code === "number") return { kind: "error", code, message: String(message) };
  return LOCAL_FAULTS.has(code) ? { kind: "bad", message: String(message) } : { kind: "lost" };
}

/** Codes of the SDK for answers that came and can't be taken. */
const LOCAL_FAULTS: ReadonlySet<unknown> = new Set(["INVALID_RESULT", "UNSUPPORTED_RESULT_TYPE"]);
