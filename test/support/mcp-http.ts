import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createAdaptorServer } from "@hono/node-server";
import { Hono } from "hono";
import { type HttpCaller, McpHttp } from "../../src/doors/mcp/http-handler.ts";
import { CallRate } from "../../src/doors/wire/call-rate.ts";
import { foreignRequest, ownNames } from "../../src/doors/wire/host-guard.ts";
import { InFlight } from "../../src/doors/wire/in-flight.ts";
import { onceClosed } from "../../src/doors/wire/once-closed.ts";
import type { ServerEnv } from "../../src/doors/wire/server-env.ts";
import type { Gate } from "../../src/wiring/gate.ts";

const WHO = "x-test-who";

/** MCP over real HTTP, without the server's tokens: who calls is said with each request. */
export class McpHttpServer {
  readonly #handler: McpHttp;
  readonly #server: Server;
  readonly #callers: HttpCaller[] = [];
  readonly #stop = new AbortController();

  /** `usual`: who calls where nothing is said. */
  constructor(gate: Gate, usual?: HttpCaller) {
    this.#handler = new McpHttp({ gate, callRate: new CallRate(Date.now), stopping: this.#stop.signal });
    const app = new Hono<ServerEnv>();
    const inFlight = new InFlight();
    app.all("/mcp", async (context) => {
      const caller = this.#callers[Number(context.req.header(WHO) ?? Number.NaN)] ?? usual;
      const foreign = foreignRequest(context.req.raw.headers, ownNames("127.0.0.1", this.#port, []));
      if (foreign !== null || caller === undefined) return foreign ?? new Response("nobody", { status: 401 });
      const held = inFlight.enter(caller.actor);
      if (held === null) return new Response("too many", { status: 429 });
      context.set("held", held);
      onceClosed(context.env.outgoing, held.leave);
      return await this.#handler.serve(context, caller);
    });
    this.#server = createAdaptorServer({ fetch: app.fetch, overrideGlobalObjects: false }) as Server;
  }

  get #port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Where it listens. */
  async listen(): Promise<string> {
    if (!this.#server.listening) await once(this.#server.listen(0, "127.0.0.1"), "listening");
    return `http://127.0.0.1:${this.#port}/mcp`;
  }

  async fetch(request: Request, caller: HttpCaller, signal: AbortSignal | null = null): Promise<Response> {
    const headers = new Headers(request.headers);
    headers.set(WHO, String(this.#callers.push(caller) - 1));
    const { method } = request;
    return await fetch(await this.listen(), { method, headers, body: await request.arrayBuffer(), signal });
  }

  /** As the server does when it begins to stop: it still listens, and who is connected may still speak. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#handler.close();
  }

  async close(): Promise<void> {
    await this.stop();
    this.#server.closeAllConnections();
    if (this.#server.listening) await new Promise((resolve) => this.#server.close(resolve));
  }
}
