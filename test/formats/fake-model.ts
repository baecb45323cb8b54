import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import {
  createServer as createHttp2Server,
  type Http2Server,
  type Http2ServerRequest,
  type Http2ServerResponse,
  type ServerHttp2Session,
} from "node:http2";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import type { JsonObject, JsonValue } from "../../src/domain/json.ts";
import { CONVERSATIONS, type Conversing } from "./conversations.ts";
import { TOOL_RULES } from "./provider-rules.ts";
import { RESPONSES, type WrittenCall } from "./wire.ts";

/** Endpoints of all providers on this machine, and a model behind them that does as it is told. */
export interface FakeModel extends AsyncDisposable {
  /** Of one provider, for its own package. */
  readonly url: (format: Conversing) => string;
  /** The bodies of all requests. */
  readonly requests: readonly JsonObject[];
}

/** What the model does in its nth turn: calls, or words if there are none. */
export type Script = (turn: number, results: readonly string[]) => readonly WrittenCall[] | string;

/** Answers 400 to a request that breaks one of the provider's rules, as the provider would. */
export async function openFakeModel(script: Script): Promise<FakeModel> {
  const requests: JsonObject[] = [];
  const serve = (request: Request, response: Answering) => {
    void answer(request, script, requests).then(({ status, body }) => {
      response.statusCode = status;
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify(body));
    });
  };
  const one = createServer(serve);
  // Amazon's package speaks nothing older.
  const two = createHttp2Server(serve);
  const ports = { one: await listening(one), two: await listening(two) };
  const sessions = new Set<ServerHttp2Session>();
  two.on("session", (session) => sessions.add(session));
  return {
    url: (format) => `http://127.0.0.1:${format === "bedrock" ? ports.two : ports.one}/${format}`,
    requests,
    [Symbol.asyncDispose]: async () => {
      one.closeAllConnections();
      for (const session of sessions) session.destroy();
      await Promise.all([one, two].map((server) => new Promise((resolve) => server.close(resolve))));
    },
  };
}

type Request = IncomingMessage | Http2ServerRequest;
type Answering = ServerResponse | Http2ServerResponse;

async function listening(server: Server | Http2Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

async function answer(
  request: Request,
  script: Script,
  requests: JsonObject[],
): Promise<{ readonly status: number; readonly body: unknown }> {
  const format = formatOf(request.url ?? "");
  const body = (await json(request)) as JsonObject;
  requests.push(body);
  const { path, toolsIn, turnsIn } = CONVERSATIONS[format];
  const turns = turnsIn(body);
  const problems = [
    ...(path.test(request.url ?? "") ? [] : [`no such path: ${request.url}`]),
    ...TOOL_RULES[format](toolsIn(body)),
    ...turns.flatMap(({ calls, results }) => (same(calls, results) ? [] : [`calls ${calls} have results ${results}`])),
  ];
  if (problems.length > 0) return { status: 400, body: { error: { message: problems.join("; ") } } };
  const said = script(turns.length, turns.at(-1)?.texts ?? []);
  return { status: 200, body: typeof said === "string" ? RESPONSES[format]([], said) : RESPONSES[format](said) };
}

/** By the provider's folder; OpenAI has two formats in one. */
function formatOf(url: string): Conversing {
  const names = Object.keys(CONVERSATIONS) as Conversing[];
  const found = names.find((name) => url.startsWith(`/${name}/`)) ?? "openai";
  return found === "openai" && url.endsWith("/responses") ? "openai-responses" : found;
}

const same = (a: readonly JsonValue[], b: readonly JsonValue[]): boolean => JSON.stringify(a) === JSON.stringify(b);
