import { createHash } from "node:crypto";
import { request } from "node:http";
import { text } from "node:stream/consumers";
import type { JsonObject } from "../../src/domain/json.ts";
import { a2aDoor } from "../../src/doors/a2a/a2a-door.ts";
import { consoleDoor } from "../../src/doors/console/console-door.ts";
import { mcpDoor } from "../../src/doors/mcp/mcp-door.ts";
import { restDoor } from "../../src/doors/rest/rest-door.ts";
import { rpcDoor } from "../../src/doors/rpc/rpc-door.ts";
import { type OpenServer, openServer, type ServerOptions } from "../../src/doors/serve/open-server.ts";
import type { Door, ServerTimes } from "../../src/doors/wire/server-env.ts";
import type { Gate } from "../../src/wiring/gate.ts";
import { ADMIN } from "./admin-token.ts";
import { checkAnswer } from "./checked-answer.ts";
import { type GateParts, openScratchGate, type ScratchGate } from "./scratch-gate.ts";

export { ADMIN };

const hashOf = (token: string): string => `sha256:${createHash("sha256").update(token).digest("hex")}`;

/** Users of the tests: their token is their name. */
export const user = (name: string, ...roles: readonly string[]): JsonObject => ({ name, token: hashOf(name), roles });

/** A page that may talk to its own server, and does nothing by itself. */
const pageDoor: Door = {
  name: "page",
  publicPaths: ["/page"],
  mount: (app) => {
    const headers = { "Content-Type": "text/html", "Content-Security-Policy": "connect-src *; default-src 'none'" };
    app.get("/page", () => new Response("<!doctype html><title>page</title>", { headers }));
  },
};

export interface Answered {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: it is checked against the route's schema
  readonly body: any;
  readonly headers: Headers;
}

export interface TestServer extends AsyncDisposable {
  readonly scratch: ScratchGate;
  readonly gate: Gate;
  readonly url: string;
  readonly server: OpenServer;
  readonly logged: readonly string[];
  /** Below the project where the path does not begin with `/`. */
  readonly get: (path: string, token?: string) => Promise<Answered>;
  readonly post: (path: string, body?: unknown, token?: string) => Promise<Answered>;
  readonly execute: (tool: string, params?: unknown, more?: object) => Promise<Answered>;
}

type TestTimes = Partial<ServerTimes> &
  Pick<ServerOptions, "callsPerMinute" | "requestsPerCaller" | "bodyBytesPerCaller">;

export async function openTestServer(
  parts: GateParts = {},
  again?: ScratchGate,
  { callsPerMinute, requestsPerCaller, bodyBytesPerCaller, ...times }: TestTimes = {},
): Promise<TestServer> {
  const scratch = again ?? openScratchGate(parts);
  const gate = again ? again.again(parts) : scratch.gate;
  const logged: string[] = [];
  await gate.begin();
  const server = await openServer({
    gate,
    adminToken: ADMIN,
    doors: [restDoor, mcpDoor, a2aDoor, rpcDoor, consoleDoor, pageDoor],
    log: (level, message, fields) => void logged.push(JSON.stringify({ level, message, ...fields })),
    port: 0,
    times,
    ...(callsPerMinute !== undefined && { callsPerMinute }),
    ...(requestsPerCaller !== undefined && { requestsPerCaller }),
    ...(bodyBytesPerCaller !== undefined && { bodyBytesPerCaller }),
  });
  const { url } = server;
  const ask = async (method: "GET" | "POST", path: string, token: string, body?: unknown): Promise<Answered> => {
    const where = path.startsWith("/") ? path : `/my/projects/default/${path}`;
    const response = await fetch(`${url}${where}`, {
      method,
      headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const told = await response.text();
    const answered = {
      status: response.status,
      body: told === "" ? null : JSON.parse(told),
      headers: response.headers,
    };
    checkAnswer(method, where, answered);
    return answered;
  };
  return {
    scratch,
    gate,
    url,
    server,
    logged,
    get: (path, token = ADMIN) => ask("GET", path, token),
    post: (path, body = {}, token = ADMIN) => ask("POST", path, token, body),
    execute: (tool, params = {}, more = {}) =>
      ask("POST", "tools/execute", ADMIN, { tool_name: tool, tool_params: params, ...more }),
    [Symbol.asyncDispose]: async () => {
      await server.close(0);
      if (!again) await scratch[Symbol.asyncDispose]();
    },
  };
}

/** Once there is one. */
export async function firstApproval(server: TestServer) {
  for (;;) {
    const { body } = await server.get("approvals?status=pending");
    if (body.approvals.length > 0) return body.approvals[0];
  }
}

/** The record of a call, once it has its end. */
export async function ended(server: TestServer, id: string) {
  for (;;) {
    const { body } = await server.get(`executions/${id}`);
    if (body.completed_at !== null && body.result !== null) return body;
  }
}

export interface RawRequest {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** With any headers, also those that `fetch` sets itself. */
export function rawRequest(url: string, { method = "GET", path, headers = {}, body }: RawRequest): Promise<Answered> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, method, path, headers: { Host: `${hostname}:${port}`, ...headers } });
    sent.on("response", async (response) => {
      const told = await text(response).catch(() => "");
      resolve({
        status: response.statusCode ?? 0,
        body: told.startsWith("{") ? JSON.parse(told) : told,
        headers: new Headers(response.headers as Record<string, string>),
      });
    });
    sent.on("error", reject);
    sent.end(body);
  });
}
