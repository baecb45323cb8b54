import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import type { JsonObject } from "../../src/domain/json.ts";
import type { InferenceWire } from "../../src/domain/model-provider.ts";

/** A request as it came. */
export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: JsonObject;
}

/** What the model says, or how it does not. */
export type Said =
  | { readonly text: string; readonly input: number; readonly output: number; readonly cached?: number }
  | { readonly status: number; readonly body?: unknown; readonly headers?: Readonly<Record<string, string>> }
  | { readonly raw: string }
  /** The connection ends: before a byte of an answer, or in the middle of one. */
  | "drops"
  | "breaks-off"
  /** There is never an answer. */
  | "hangs";

export interface FakeProvider extends AsyncDisposable {
  /** As the configuration names it. */
  readonly url: (wire: InferenceWire) => string;
  readonly port: number;
  readonly requests: readonly Received[];
}

const KEY = "k3y-of-the-provider-0815";
export const PROVIDER_KEY = KEY;

/** A server that speaks what providers of models speak, and refuses what they refuse, with a model that does as it is told. */
export async function openFakeProvider(script: (request: Received) => Said): Promise<FakeProvider> {
  const requests: Received[] = [];
  const server = createServer((request, response) => void answer(request, response, requests, script));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: (wire) => `http://127.0.0.1:${port}${wire === "anthropic" ? "" : `/${wire}/v1`}`,
    port,
    requests,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  requests: Received[],
  script: (request: Received) => Said,
): Promise<void> {
  const received = { path: request.url ?? "", headers: request.headers, body: (await json(request)) as JsonObject };
  requests.push(received);
  const wire = wireOf(received.path);
  const problem = wire === null ? { status: 404, message: "no such path" } : problemOf(wire, received);
  const said: Said = problem === null ? script(received) : errorOf(wire, problem);
  if (said === "hangs") return;
  if (said === "drops") return void response.destroy();
  if (said === "breaks-off") {
    response.writeHead(200, { "content-type": "application/json", "content-length": "1000" });
    response.write('{"type":"message",', () => response.destroy());
    return;
  }
  const status = "status" in said ? said.status : 200;
  response.writeHead(status, { "content-type": "application/json", ...("status" in said && said.headers) });
  response.end("raw" in said ? said.raw : JSON.stringify("text" in said ? written(wire, said, received) : said.body));
}

const wireOf = (path: string): InferenceWire | null =>
  path === "/v1/messages"
    ? "anthropic"
    : path === "/openai/v1/chat/completions"
      ? "openai"
      : path === "/openai-compatible/v1/chat/completions"
        ? "openai-compatible"
        : null;

interface Problem {
  readonly status: number;
  readonly message: string;
}

const MEMBERS: Readonly<Record<InferenceWire, readonly string[]>> = {
  anthropic: ["model", "max_tokens", "messages", "system", "temperature"],
  openai: ["model", "max_completion_tokens", "messages", "temperature"],
  "openai-compatible": ["model", "max_tokens", "messages", "temperature"],
};

function problemOf(wire: InferenceWire, { headers, body }: Received): Problem | null {
  // Of both Anthropic takes the first.
  const key =
    (wire === "anthropic" ? headers["x-api-key"] : undefined) ?? headers.authorization?.replace("Bearer ", "");
  if (key !== KEY && wire !== "openai-compatible") return { status: 401, message: `invalid key ${key}` };
  if (wire === "anthropic") {
    const version = headers["anthropic-version"];
    if (version !== "2026-10-21" && version !== "2023-06-01") return bad("anthropic-version: no such version");
    if (version === "2026-10-21" && "temperature" in body) return bad("temperature: Extra inputs are not permitted");
  }
  const unknown = Object.keys(body).find((name) => !MEMBERS[wire].includes(name));
  if (unknown !== undefined) return bad(`${unknown}: no such member`);
  if (typeof body["model"] !== "string") return bad("model is missing");
  const limit = wire === "openai" ? body["max_completion_tokens"] : body["max_tokens"];
  if (!Number.isInteger(limit)) return bad("a limit of tokens is missing");
  const { messages } = body;
  const roles = Array.isArray(messages) ? messages.map((message) => (message as JsonObject)["role"]) : [];
  const wanted = wire === "anthropic" ? /^user$/ : /^(?:system,)?user$/;
  return wanted.test(roles.join(",")) ? null : bad(`messages: ${roles}`);
}

const bad = (message: string): Problem => ({ status: 400, message });

const errorOf = (wire: InferenceWire | null, { status, message }: Problem): Said => ({
  status,
  body:
    wire === "anthropic"
      ? { type: "error", error: { type: "invalid_request_error", message } }
      : { error: { message, type: "invalid_request_error", param: null, code: null } },
});

function written(wire: InferenceWire | null, said: Extract<Said, { text: string }>, { body }: Received): JsonObject {
  const { text, input, output, cached = 0 } = said;
  const model = String(body["model"]);
  return wire === "anthropic"
    ? {
        id: "msg_1",
        type: "message",
        role: "assistant",
        model: `${model}-20260101`,
        content: [{ type: "text", text }],
        stop_reason: "end_turn",
        stop_sequence: null,
        usage: { input_tokens: input, cache_read_input_tokens: cached, output_tokens: output },
      }
    : {
        id: "chatcmpl-1",
        object: "chat.completion",
        created: 1,
        model: `${model}-20260101`,
        choices: [
          {
            index: 0,
            message: { role: "assistant", content: text, refusal: null },
            logprobs: null,
            finish_reason: "stop",
          },
        ],
        usage: { prompt_tokens: input, completion_tokens: output, total_tokens: input + output },
      };
}
