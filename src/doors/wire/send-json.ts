import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { OWN_HEADERS } from "./own-headers.ts";
import type { ServerContext } from "./server-env.ts";

export interface JsonAnswer {
  readonly status: number;
  readonly body: unknown;
}

/**
 * Writes an answer to the connection itself. By way of the web's Response object it is read back from a stream, header by
 * header, which costs several times as much.
 */
export function sendJson(context: ServerContext, { status, body }: JsonAnswer, stopping: AbortSignal): Response {
  const text = JSON.stringify(body);
  const { outgoing } = context.env;
  outgoing.writeHead(status, {
    ...OWN_HEADERS,
    "Content-Type": "application/json",
    "Content-Length": Buffer.byteLength(text),
    ...(stopping.aborted && { Connection: "close" }),
  });
  outgoing.end(text);
  context.set("sent", status);
  return RESPONSE_ALREADY_SENT;
}
