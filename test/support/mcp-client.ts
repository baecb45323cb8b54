import { PassThrough } from "node:stream";
import {
  Client,
  type ClientOptions,
  type ElicitRequest,
  type ElicitResult,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { serveMcpStdio } from "../../src/doors/mcp/serve-stdio.ts";
import type { Gate } from "../../src/wiring/gate.ts";

export const ERAS = ["2026-07-28", "2025-11-25", "2025-06-18", "2024-11-05"] as const;
export type Era = (typeof ERAS)[number];

export interface ClientParts {
  readonly era?: Era;
  readonly ask?: "client" | "desk";
  /** Answers forms; left out = the client can't show any. */
  readonly fills?: (params: ElicitRequest["params"], signal: AbortSignal) => Promise<ElicitResult> | ElicitResult;
  readonly roots?: readonly string[];
  /** What it calls itself. */
  readonly name?: string;
  readonly options?: ClientOptions;
}

export interface ConnectedClient extends AsyncDisposable {
  readonly client: Client;
  /** Settles when the door has let go of the connection. */
  readonly served: Promise<void>;
  readonly alarms: readonly string[];
}

/** A real client of the official SDK at the gate's door, on pipes. */
export async function connectClient(gate: Gate, parts: ClientParts = {}): Promise<ConnectedClient> {
  const [toGate, fromGate] = [new PassThrough(), new PassThrough()];
  const stop = new AbortController();
  const alarms: string[] = [];
  const served = serveMcpStdio(
    gate,
    { stdin: toGate, stdout: fromGate, ask: parts.ask ?? "client", alarm: (message) => alarms.push(message) },
    stop.signal,
  );
  const client = clientFor(parts);
  // Newline-delimited JSON is the same both ways.
  await client.connect(new StdioServerTransport(fromGate, toGate));
  return {
    client,
    served,
    alarms,
    [Symbol.asyncDispose]: async () => {
      await client.close();
      stop.abort();
      await served;
    },
  };
}

function clientFor({ era = "2026-07-28", fills, roots, name = "test-client", options = {} }: ClientParts = {}): Client {
  const isModern = era === "2026-07-28";
  const client = new Client(
    { name, version: "1.0.0" },
    {
      capabilities: { ...(fills && { elicitation: {} }), ...(roots && { roots: {} }) },
      ...(isModern
        ? { versionNegotiation: { mode: { pin: era } } }
        : { versionNegotiation: { mode: "legacy" }, supportedProtocolVersions: [era] }),
      ...options,
    },
  );
  if (fills)
    client.setRequestHandler("elicitation/create", async ({ params }, { mcpReq }) => fills(params, mcpReq.signal));
  if (roots) client.setRequestHandler("roots/list", () => ({ roots: roots.map((uri) => ({ uri })) }));
  return client;
}

/** The same over HTTP. */
export async function connectHttp(url: string, token: string, parts: ClientParts = {}): Promise<Client> {
  const client = clientFor(parts);
  const requestInit = { headers: { Authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit }));
  return client;
}

/** All text of a result. */
export const textOf = ({ content }: { readonly content: readonly object[] }): string =>
  content.map((item) => ("text" in item ? String(item.text) : "")).join("\n");
