import { INTERNAL_ERROR, ProtocolError, Server, type ServerContext } from "@modelcontextprotocol/server";
import type { Session } from "../../domain/lease.ts";
import type { Gate } from "../../wiring/gate.ts";
import { VERSION } from "../../wiring/version.ts";
import { callTool } from "./call-tool.ts";
import { type Capabilities, type ClientFacts, clientName } from "./client-facts.ts";
import type { CallParts } from "./governed-call.ts";
import { pageOf } from "./page-of.ts";
import { type RootsBy, rootedSession } from "./rooted-session.ts";
import { LISTING, OFFER_CAPABILITIES, serveOffers } from "./serve-offers.ts";

export interface ServerParts extends Pick<CallParts, "gate" | "era" | "calls" | "ask" | "askElsewhere" | "admit"> {
  /** Whose lease binds every call. Left out: a new one of this connection. */
  readonly session?: Session;
  /** How the client is asked for its roots, which narrow it. Null: they are folders of another machine. */
  readonly rootsBy: RootsBy | null;
  /** Left out: whoever runs this gate. */
  readonly actor?: string;
  /** What whoever answers may do; left out: they are at this machine. */
  readonly roles?: readonly string[];
}

/** How long a list is good without asking again. Changes are told to whoever listens. */
const LIST_TTL_MS = 60_000;

const LISTED = { ttlMs: LIST_TTL_MS, cacheScope: "private" } as const;
const TOOLS_HINT = { "tools/list": LISTED } as const;
const OFFERS_HINT = {
  "prompts/list": LISTED,
  "resources/list": LISTED,
  "resources/templates/list": LISTED,
  // What it holds may have changed by the next time, and each time is judged.
  "resources/read": { ttlMs: 0, cacheScope: "private" },
} as const;

const INSTRUCTIONS =
  "Every call goes through Toolgate: it is checked, judged by the user's rules, asked about where a rule says so, and recorded. " +
  "A refused call was not run; its message says why. Don't try to reach the same thing in another way.";

const SERVER_INFO = { name: "toolgate", title: "Toolgate", version: VERSION } as const;

/** The gate as an MCP server, for one connection or one request. */
export function mcpServer(given: ServerParts): Server {
  const { gate, era, calls, ask, askElsewhere, admit, rootsBy, roles, actor = given.gate.actor } = given;
  const hasOffers = gate.upstreams.areAny;
  const server = new Server(SERVER_INFO, {
    capabilities: { tools: { listChanged: true }, ...(hasOffers && OFFER_CAPABILITIES) },
    instructions: INSTRUCTIONS,
    cacheHints: hasOffers ? { ...TOOLS_HINT, ...OFFERS_HINT } : TOOLS_HINT,
    requestState: { verify: calls.verify },
  });
  const client = (ctx: ServerContext) => clientOf(server, ctx);
  const { session: base = gate.session() } = given;
  const isRooted = era === "legacy" && rootsBy !== null;
  const unrooted = { session: async () => base, waiting: undefined };
  const { session, waiting } = isRooted ? rootedSession(server, base, gate.workspace, rootsBy) : unrooted;
  const roots = era === "modern" && rootsBy !== null ? "asked" : "settled";
  const parts: CallParts = {
    gate,
    era,
    calls,
    ask,
    askElsewhere,
    admit,
    client,
    actor,
    roles,
    session,
    waiting,
    roots,
  };
  server.setRequestHandler("tools/list", async ({ params }) => {
    await gate.upstreams.ready(LISTING);
    const { items, next } = pageOf(gate.tools("mcp"), ({ name }) => name, params?.cursor);
    return { tools: [...items], ...next };
  });
  if (hasOffers) serveOffers(server, parts);
  server.setRequestHandler("tools/call", ({ params }, ctx) => reporting(gate, () => callTool(params, ctx, parts)));
  return server;
}

/** The SDK would answer with the text of any error: only what is meant for the wire goes there. */
async function reporting<T>(gate: Gate, answer: () => Promise<T>): Promise<T> {
  try {
    return await answer();
  } catch (cause) {
    if (cause instanceof ProtocolError) throw cause;
    gate.faults.report(cause, { stage: "door" });
    throw new ProtocolError(INTERNAL_ERROR, "the gate made a mistake");
  }
}

/** Tells a connection when what is listed has changed. Whoever has gone by then is not told. */
export function tellOfChanges(server: Server, { upstreams }: Gate): () => void {
  const gone = () => {};
  const forget = [
    upstreams.onToolsChanged(() => void server.sendToolListChanged().catch(gone)),
    upstreams.onOffersChanged(() => {
      void server.sendPromptListChanged().catch(gone);
      void server.sendResourceListChanged().catch(gone);
    }),
  ];
  return () => {
    for (const each of forget) each();
  };
}

const INFO = "io.modelcontextprotocol/clientInfo";
const CAPABILITIES = "io.modelcontextprotocol/clientCapabilities";

/** In the envelope of each request, or from the handshake. */
function clientOf(server: Server, { mcpReq: { envelope } }: ServerContext): ClientFacts {
  const given = envelope as Readonly<Record<string, unknown>> | undefined;
  const info = (given?.[INFO] ?? server.getClientVersion()) as { readonly name?: unknown } | undefined;
  const capabilities = (given?.[CAPABILITIES] ?? server.getClientCapabilities() ?? {}) as Capabilities;
  return { name: clientName(info?.name), capabilities };
}
