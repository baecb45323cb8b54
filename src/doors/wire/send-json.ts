import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { OWN_HEADERS } from "./own-headers.ts";
import type { ServerContext } from "./server-env.ts";

export interface JsonAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** Names and values in turns, as Node writes them out without looking any of them up. */
const ALWAYS = [...Object.entries(OWN_HEADERS).flat(), "Content-Type", "application/json"];

/**
 * Writes an answer to the connection itself. By way of the web's Response object it is read back from a stream, header by
 * header, which costs several times as much.
 */
export function sendJson(context: ServerContext, { status, body }: JsonAnswer, stopping: AbortSignal): Response {
  const text = JSON.stringify(body);
  const { outgoing } = context.env;
  const headers = [...ALWAYS, "Content-Length", String(Buffer.byteLength(text))];
  if (stopping.aborted) headers.push("Connection", "close");
  outgoing.writeHead(status, headers);
  outgoing.end(text);
  context.set("sent", status);
  return RESPONSE_ALREADY_SENT;
}
