import {
  type CallToolResult,
  Client,
  type jsonSchemaValidator,
  StreamableHTTPClientTransport,
  type Transport,
} from "@modelcontextprotocol/client";
import type { JsonObject } from "../../domain/json.ts";
import { LIMITS } from "../../domain/limits.ts";
import type { Progress } from "../../domain/tool.ts";
import type { UpstreamTool, UpstreamWay } from "../../domain/upstream.ts";
import type { SandboxedProgram } from "../../ports/sandbox.ts";
import type { Web } from "../../ports/web.ts";
import { compileSchema } from "../../schema/compile-schema.ts";
import { ProgramTransport } from "./program-transport.ts";
import { fault, type UpstreamFault } from "./upstream-fault.ts";
import { WebFetchError, webFetch } from "./web-fetch.ts";

/** How a call to an upstream went. */
export type UpstreamAnswer =
  | { readonly kind: "answered"; readonly result: CallToolResult }
  /** It said no by a JSON-RPC error. */
  | { readonly kind: "error"; readonly code: number; readonly message: string }
  /** It answered with something that can't be taken. */
  | { readonly kind: "bad"; readonly message: string }
  | { readonly kind: "unsent"; readonly fault: UpstreamFault }
  /** It was sent, and nobody knows what became of it. */
  | { readonly kind: "lost" };

export interface CallOptions {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  readonly onProgress: (progress: Progress) => void;
}

/** Who listens to what an upstream says by itself. */
export interface Listeners {
  readonly onToolsChanged: () => void;
  readonly onClosed: () => void;
}

/** A connection that has been opened: its era is settled, and it can be asked. */
export class UpstreamConnection {
  readonly #client: Client;
  readonly #program: ProgramTransport | null;

  private constructor(client: Client, program: ProgramTransport | null) {
    this.#client = client;
    this.#program = program;
  }

  static async open(
    over:
      | SandboxedProgram
      | { readonly way: Extract<UpstreamWay, { kind: "http" }>; readonly web: Web; readonly timeoutMs: number },
    listeners: Listeners,
    signal: AbortSignal,
  ): Promise<UpstreamConnection | UpstreamFault> {
    const program = "chunks" in over ? new ProgramTransport(over, LIMITS.upstreamMessageBytes.default) : null;
    const transport: Transport = program ?? httpTransport(over as Exclude<typeof over, SandboxedProgram>);
    const client = newClient();
    if (program !== null)
      client.setNotificationHandler("notifications/tools/list_changed", () => listeners.onToolsChanged());
    client.onclose = () => listeners.onClosed();
    client.onerror = () => {}; // what is no message was left out already
    try {
      await client.connect(transport, { signal, timeout: LIMITS.upstreamStartMs.default });
      return new UpstreamConnection(client, program);
    } catch (error) {
      await client.close().catch(() => {});
      await program?.close();
      return await whyNotOpen(error, program);
    }
  }

  /** Throws what keeps it from being listed. */
  async tools(): Promise<readonly UpstreamTool[]> {
    if (this.#client.getServerCapabilities()?.tools === undefined) return [];
    const { tools } = await this.#client.listTools(undefined, { timeout: LIMITS.upstreamStartMs.default });
    if (tools.length > LIMITS.upstreamTools.default)
      throw new RangeError(`it offers more than ${LIMITS.upstreamTools.default} tools`);
    return tools.map(toolFrom);
  }

  async call(name: string, input: JsonObject, { signal, timeoutMs, onProgress }: CallOptions): Promise<UpstreamAnswer> {
    try {
      const result = await this.#client.callTool(
        { name, arguments: { ...input } },
        {
          signal,
          timeout: timeoutMs,
          onprogress: ({ progress, total, message = "" }) =>
            onProgress({ message, done: progress, ...(total !== undefined && { total }) }),
        },
      );
      return { kind: "answered", result };
    } catch (error) {
      return this.#answerFrom(error);
    }
  }

  get notes(): string {
    return this.#program?.notes ?? "";
  }

  get server(): { readonly name: string; readonly version: string } | undefined {
    return this.#client.getServerVersion();
  }

  get revision(): string | undefined {
    return this.#client.getNegotiatedProtocolVersion();
  }

  async close(): Promise<void> {
    await this.#client.close().catch(() => {});
    await this.#program?.close();
  }

  #answerFrom(error: unknown): UpstreamAnswer {
    if (this.#program?.isTooLong) return { kind: "bad", message: "its answer is larger than anybody would keep" };
    const failed = error instanceof WebFetchError ? error : (error as { readonly cause?: unknown }).cause;
    if (failed instanceof WebFetchError) {
      if (failed.how === "unsent") return { kind: "unsent", fault: failed.fault };
      return { kind: "lost" };
    }
    const { code, message } = error as { readonly code?: unknown; readonly message?: unknown };
    if (typeof code === "number") return { kind: "error", code, message: String(message) };
    return LOCAL_FAULTS.has(code) ? { kind: "bad", message: String(message) } : { kind: "lost" };
  }
}

/** Codes of the SDK for answers that came and can't be taken. */
const LOCAL_FAULTS: ReadonlySet<unknown> = new Set([
  "INVALID_RESULT",
  "UNSUPPORTED_RESULT_TYPE",
  "INPUT_REQUIRED_ROUNDS_EXCEEDED",
  "CAPABILITY_NOT_SUPPORTED",
]);

const CLIENT = { name: "toolgate", version: "1" } as const;

/** No capabilities: an upstream asks nobody, reads no roots and has no model. */
const newClient = (): Client =>
  new Client(CLIENT, {
    capabilities: {},
    versionNegotiation: { mode: "auto", probe: { timeoutMs: PROBE_MS } },
    jsonSchemaValidator: OWN_VALIDATOR,
  });

/** Old servers may say nothing at all to a method that they don't know. */
const PROBE_MS = 5000;

/** The gate's own checker: patterns in linear time, nothing fetched. A schema that it can't read checks nothing. */
const OWN_VALIDATOR: jsonSchemaValidator = {
  getValidator: <T>(schema: unknown) => {
    const compiled = compileSchema(schema as JsonObject);
    return (input: unknown) => {
      const [error] = "problem" in compiled ? [] : compiled.check(input as JsonObject);
      return error === undefined
        ? { valid: true as const, data: input as T, errorMessage: undefined }
        : { valid: false as const, data: undefined, errorMessage: error.message };
    };
  },
};

const httpTransport = ({
  way,
  web,
  timeoutMs,
}: {
  readonly way: Extract<UpstreamWay, { kind: "http" }>;
  readonly web: Web;
  readonly timeoutMs: number;
}): Transport => new StreamableHTTPClientTransport(new URL(way.url), { fetch: webFetch(way, web, timeoutMs) });

async function whyNotOpen(error: unknown, program: ProgramTransport | null): Promise<UpstreamFault> {
  if (error instanceof WebFetchError) return error.fault;
  const message = error instanceof Error ? error.message : String(error);
  if (program === null) return fault("CONNECT_FAILED", `it can't be spoken to: ${message}`, "look at its address");
  const end = await program.ended;
  if (end.kind === "refused")
    return fault(end.fault.code === "CONFLICT" ? "SPAWN_FAILED" : end.fault.code, end.fault.message, end.fault.hint);
  const last = program.notes.trim().split("\n").slice(-LAST_LINES).join("; ");
  return fault("SPAWN_FAILED", `it can't be spoken to: ${message}${last === "" ? "" : ` (${last})`}`);
}

const LAST_LINES = 3;

function toolFrom(tool: Awaited<ReturnType<Client["listTools"]>>["tools"][number]): UpstreamTool {
  const { name, title, description, inputSchema, outputSchema, annotations } = tool;
  return {
    name,
    inputSchema,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(outputSchema !== undefined && { outputSchema: outputSchema as Readonly<Record<string, unknown>> }),
    ...(annotations !== undefined && { annotations }),
  };
}
