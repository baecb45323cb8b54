import type { JsonValue } from "../../domain/json.ts";
import { LIMITS } from "../../domain/limits.ts";
import { readJsonBytes } from "../../schema/json/read-json.ts";
import { bodyBytes } from "./body-bytes.ts";
import { problem } from "./problem.ts";
import { headersOf, type RequestHeaders } from "./request-headers.ts";
import type { ServerContext } from "./server-env.ts";

export type Body =
  | { readonly ok: true; readonly value: JsonValue }
  | { readonly ok: false; readonly problem: Response };

const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json$/;

/** The JSON of a request, no longer than it may be. Nothing at all is an empty object. */
export async function readBody(context: ServerContext, bytesMax: number): Promise<Body> {
  const unfit = unfitType(headersOf(context.env.incoming));
  if (unfit) return { ok: false, problem: unfit };
  const bytes = await bodyBytes(context, bytesMax).catch(() => undefined);
  // Hardly anybody is left to hear it, and it was their doing: no fault of ours in the log.
  if (bytes === undefined) return { ok: false, problem: problem("JSON_INVALID", { detail: "the body broke off" }) };
  if (bytes === "too long") return { ok: false, problem: tooLarge(bytesMax) };
  if (bytes === "no room") return { ok: false, problem: noRoom() };
  if (bytes.length === 0) return { ok: true, value: {} };
  const read = readJsonBytes(bytes, { bytes: bytesMax, values: LIMITS.requestValues.default });
  if (read.ok) return read;
  const { message, line, column } = read.error;
  return { ok: false, problem: problem("JSON_INVALID", { detail: `line ${line}, column ${column}: ${message}` }) };
}

/** What `fetch` and `curl -d` say of a text by themselves. */
const UNSAID: ReadonlySet<string> = new Set(["", "text/plain", "application/x-www-form-urlencoded"]);

/** A client may leave the type out: every request with a body carries a token, which no form of a page can send. */
function unfitType(headers: RequestHeaders): Response | null {
  if (headers.has("content-encoding")) return unsupported("compressed bodies are not taken");
  const type = headers.get("content-type")?.split(";")[0]?.trim().toLowerCase() ?? "";
  if (JSON_TYPE.test(type)) return null;
  return UNSAID.has(type) ? null : unsupported("the body has to be sent as `application/json`");
}

/**
 * Bytes have to say that they are some: no form of a page can. How many really come is counted by whoever takes them.
 * Null: nothing is wrong with them.
 */
export function unfitBytes(headers: RequestHeaders, bytesMax: number): Response | null {
  const type = headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
  if (Number(headers.get("content-length") ?? 0) > bytesMax) return tooLarge(bytesMax);
  if (type === "application/octet-stream" && !headers.has("content-encoding")) return null;
  const detail = "the body has to be sent as `application/octet-stream`, and not compressed";
  // Much may be on its way, which nobody wants.
  return problem("MEDIA_TYPE_UNSUPPORTED", { detail, headers: { Connection: "close" } });
}

const unsupported = (detail: string): Response => problem("MEDIA_TYPE_UNSUPPORTED", { detail });

/** Much of it is still on its way, which nobody wants. */
export const noRoom = (): Response =>
  problem("TOO_MANY_REQUESTS", {
    detail: "this token has as much in requests under way as it may",
    retryAfterSeconds: 1,
    headers: { Connection: "close" },
  });

const tooLarge = (bytesMax: number): Response =>
  problem("BODY_TOO_LARGE", { detail: `the body may have ${bytesMax} bytes`, headers: { Connection: "close" } });
