import { randomUUID } from "node:crypto";
import {
  type AuthInfo,
  createMcpHandler,
  type HandleRequestOptions,
  isLegacyRequest,
  type ServerContext as McpContext,
  type McpHttpHandler,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import type { JsonValue } from "../../domain/json.ts";
import type { Session } from "../../domain/lease.ts";
import { LIMITS } from "../../domain/limits.ts";
import type { Gate } from "../../wiring/gate.ts";
import type { CallRate } from "../wire/call-rate.ts";
import { problem } from "../wire/problem.ts";
import { headersOf, type RequestHeaders } from "../wire/request-headers.ts";
import type { DoorParts, ServerContext } from "../wire/server-env.ts";
import type { CallParts } from "./governed-call.ts";
import { isOfThisMachine } from "./is-of-this-machine.ts";
import { mcpServer, tellOfChanges } from "./mcp-server.ts";
import { namedClient } from "./named-client.ts";
import { withOldCodes } from "./old-codes.ts";
import { OpenCalls } from "./open-calls.ts";
import { declaredHeaders, decoded, mismatchedParams } from "./param-headers.ts";
import { SessionIds } from "./session-ids.ts";
import { strictBody } from "./strict-body.ts";

/** Who makes a request, as far as the server has verified it. Its token stays there: nothing of it is passed on. */
export interface HttpCaller {
  readonly actor: string;
  readonly roles: readonly string[];
  readonly session: Session;
  /** Whether whoever sends this token may answer questions, or only make calls. */
  readonly ask: CallParts["ask"];
  /** Whether it comes from this machine, so that the folders that it names are ours. */
  readonly isHere?: boolean;
  /** Why it is not told what came of its call; null: it is. A stream is cut off by itself. */
  readonly takenOut?: () => Promise<Response | null>;
}

interface LegacySession {
  readonly transport: WebStandardStreamableHTTPServerTransport;
  readonly caller: HttpCaller;
  readonly ids: SessionIds;
  usedAtMs: number;
}

/** Names come from clients. */
const NAMES_MAX = 10_000;
const SESSIONS_MAX = LIMITS.connections.default;
const IDLE_MS = LIMITS.loginMs.default;

/** MCP over HTTP: each request of 2026-07-28 by itself, clients of 2025 in sessions, since they are asked on the way. */
export class McpHttp {
  readonly #gate: Gate;
  readonly #callRate: CallRate;
  readonly #calls = new OpenCalls((ctx) => callerOf(ctx));
  readonly #modern: McpHttpHandler;
  readonly #sessions = new Map<string, LegacySession>();
  readonly #stopping: AbortSignal;
  readonly #unsubscribe: () => void;
  /** What tools ask for in headers, as long as they are offered as they are. */
  #declared: { readonly offer: unknown; readonly byName: Map<string, ReturnType<typeof declaredHeaders>> } = {
    offer: null,
    byName: new Map(),
  };

  constructor({ gate, callRate, stopping }: Pick<DoorParts, "gate" | "callRate" | "stopping">) {
    this.#gate = gate;
    this.#callRate = callRate;
    this.#stopping = stopping;
    this.#modern = createMcpHandler(({ authInfo }) => this.#server("modern", inAuth(authInfo)), {
      legacy: "reject",
      maxRequestBodySize: LIMITS.requestBytes.default,
    });
    const { notify } = this.#modern;
    const forget = [
      gate.upstreams.onToolsChanged(() => notify.toolsChanged()),
      gate.upstreams.onOffersChanged(() => {
        notify.promptsChanged();
        notify.resourcesChanged();
      }),
    ];
    this.#unsubscribe = () => {
      for (const each of forget) each();
    };
  }

  async serve(context: ServerContext, from: HttpCaller): Promise<Response> {
    const request = context.req.raw;
    const caller = { ...from, isHere: isOfThisMachine(context.env.incoming.socket) };
    const body = request.method === "POST" ? await strictBody(context, LIMITS.requestBytes.default) : NO_BODY;
    if ("refused" in body) return body.refused;
    // The SDK has closed, and who still speaks was only late.
    if (this.#stopping.aborted) return STOPS();
    const parsedBody = body.value === undefined ? undefined : namedClient(body.value);
    // Who says that they are of 2026 is taken at their word, and refused where the body says otherwise.
    const headers = headersOf(context.env.incoming);
    const isModern = request.method === "POST" && isSaidModern(headers);
    if (!isModern && (await isLegacyRequest(request, parsedBody)))
      return await this.#legacy(request, caller, parsedBody);
    const name = headers.get("mcp-method") === "tools/call" ? decoded(headers.get("mcp-name") ?? "") : null;
    const refused = name === null ? null : this.#mismatch(name, headers, parsedBody);
    if (refused !== null) return refused;
    const answer = await this.#modern.fetch(request, { authInfo: auth(caller), parsedBody });
    const gone = (await from.takenOut?.()) ?? null;
    if (gone !== null) void answer.body?.cancel();
    return gone ?? answer;
  }

  /** The SDK compares the headers of the protocol, and knows nothing of those that a tool of ours asks for. */
  #mismatch(name: string, headers: RequestHeaders, body: unknown): Response | null {
    const declared = this.#declaredBy(name);
    return declared.length === 0 ? null : mismatchedParams(declared, body, headers);
  }

  #declaredBy(name: string): ReturnType<typeof declaredHeaders> {
    const offer = this.#gate.offer("mcp");
    if (this.#declared.offer !== offer) this.#declared = { offer, byName: new Map() };
    const { byName } = this.#declared;
    const known = byName.get(name);
    if (known !== undefined) return known;
    const found = declaredHeaders(offer.tools().find((tool) => tool.name === name)?.inputSchema);
    if (byName.size < NAMES_MAX) byName.set(name, found);
    return found;
  }

  async close(): Promise<void> {
    this.#unsubscribe();
    this.#calls.withdrawAll();
    await Promise.all([
      this.#modern.close(),
      ...[...this.#sessions.values()].map(({ transport }) => transport.close()),
    ]);
  }

  async #legacy(request: Request, caller: HttpCaller, parsedBody: JsonValue | undefined): Promise<Response> {
    const id = request.headers.get("mcp-session-id");
    const options = { authInfo: auth(caller), ...(parsedBody !== undefined && { parsedBody }) };
    if (id === null) return await this.#first(request, caller, options);
    const known = this.#sessions.get(id);
    // Whose session it is decides: an id that somebody else has heard of opens nothing.
    if (known === undefined || keyOf(known.caller) !== keyOf(caller)) return notFound();
    known.usedAtMs = Date.now();
    const ids = known.ids.take(parsedBody);
    if (ids instanceof Response) return ids;
    const response = await known.transport.handleRequest(request, options);
    if (response.ok) known.ids.taken(parsedBody);
    else known.ids.release(ids);
    return response;
  }

  /** What begins no session leaves nothing behind. */
  async #first(request: Request, caller: HttpCaller, options: HandleRequestOptions): Promise<Response> {
    const transport = await this.#begin(caller);
    const response = await transport.handleRequest(request, options);
    if (transport.sessionId === undefined) await transport.close();
    return response;
  }

  async #begin(caller: HttpCaller): Promise<WebStandardStreamableHTTPServerTransport> {
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => {
        this.#makeRoom(caller);
        this.#sessions.set(id, { transport, caller, ids, usedAtMs: Date.now() });
      },
      onsessionclosed: (id) => void this.#sessions.delete(id),
      maxRequestBodySize: LIMITS.requestBytes.default,
    });
    withOldCodes(transport, () => true);
    const ids = new SessionIds(transport);
    const server = this.#server("legacy", caller);
    const unsubscribe = tellOfChanges(server, this.#gate);
    server.onclose = () => {
      unsubscribe();
      if (transport.sessionId !== undefined) this.#sessions.delete(transport.sessionId);
    };
    await server.connect(transport);
    return transport;
  }

  #server(era: CallParts["era"], caller: HttpCaller): Server {
    // A request of 2026-07-28 could only be given back with the question, and clients that name roots there are not ready for it.
    const rootsBy = caller.isHere === true && era === "legacy" ? "request" : null;
    return mcpServer({ ...this.#parts(era, caller), rootsBy });
  }

  #parts(era: CallParts["era"], { actor, roles, session, ask }: HttpCaller) {
    const admit = () => this.#callRate.refusal(actor);
    return { gate: this.#gate, era, calls: this.#calls, ask, admit, actor, roles, session };
  }

  /** Who has not come for long has gone. Who has too many loses their own, and only where all have too many somebody else's. */
  #makeRoom({ actor }: HttpCaller): void {
    const byUse = [...this.#sessions].toSorted(([, a], [, b]) => a.usedAtMs - b.usedAtMs);
    const own = byUse.filter(([, { caller }]) => caller.actor === actor);
    const isOver = own.length >= LIMITS.mcpSessionsPerCaller.default;
    const idle = byUse.filter(([, { usedAtMs }]) => Date.now() - usedAtMs >= IDLE_MS);
    const tooMany = this.#sessions.size - idle.length >= SESSIONS_MAX ? (own[0] ?? byUse[0]) : undefined;
    for (const one of [...idle, isOver ? own[0] : tooMany]) {
      if (one === undefined) continue;
      this.#sessions.delete(one[0]);
      void one[1].transport.close();
    }
  }
}

const NO_BODY = { value: undefined } as const;

const isSaidModern = (headers: RequestHeaders): boolean =>
  headers.get("mcp-protocol-version") === "2026-07-28" && !headers.has("mcp-session-id");

/** With what they may do: who has lost a role is somebody else, to a session and to a question that waits. */
const keyOf = ({ actor, roles, session, ask }: HttpCaller): string =>
  [actor, session.id, ask, ...[...roles].sort()].join("\0");

/** The SDK's place for who asks. INVARIANT (no passthrough): it holds no token. */
const auth = (caller: HttpCaller): AuthInfo => ({ token: "", clientId: keyOf(caller), scopes: [], extra: { caller } });

const inAuth = (authInfo: AuthInfo | undefined): HttpCaller => authInfo?.extra?.["caller"] as HttpCaller;

const callerOf = ({ http }: McpContext): string => http?.authInfo?.clientId ?? "";

const STOPS = (): Response =>
  problem("BUSY", { detail: "the server stops", retryAfterSeconds: 1, headers: { Connection: "close" } });

/** As the transport says it of a session that has ended. */
const notFound = (): Response =>
  Response.json({ jsonrpc: "2.0", error: { code: -32_001, message: "Session not found" }, id: null }, { status: 404 });
