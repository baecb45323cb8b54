import {
  Client,
  type jsonSchemaValidator,
  type RequestOptions,
  StreamableHTTPClientTransport,
  type Transport,
} from "@modelcontextprotocol/client";
import type { JsonObject } from "../../domain/json.ts";
import { LIMITS } from "../../domain/limits.ts";
import type { Progress, RunResult } from "../../domain/tool.ts";
import type { UpstreamTool, UpstreamWay } from "../../domain/upstream.ts";
import type { SandboxedProgram } from "../../ports/sandbox.ts";
import type { Web } from "../../ports/web.ts";
import { compileSchema } from "../../schema/compile-schema.ts";
import { BROKEN_OFF } from "./events-from.ts";
import { definitionOfPrompt, definitionOfResource, definitionOfTemplate } from "./offers.ts";
import { ProgramTransport } from "./program-transport.ts";
import { fault, type UpstreamFault } from "./upstream-fault.ts";
import { promptResultFrom, readResultFrom, resultFrom } from "./upstream-result.ts";
import { WebFetchError, webFetch } from "./web-fetch.ts";

/** How a call to an upstream went. */
export type UpstreamAnswer =
  | { readonly kind: "answered"; readonly result: RunResult }
  /** It said no by a JSON-RPC error. */
  | { readonly kind: "error"; readonly code: number; readonly message: string }
  /** It answered with something that can't be taken. */
  | { readonly kind: "bad"; readonly message: string }
  | { readonly kind: "unsent"; readonly fault: UpstreamFault }
  /** It was sent, and nobody knows what became of it. */
  | { readonly kind: "lost" };

export interface AskOptions {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  readonly onProgress: (progress: Progress) => void;
}

/** Who listens to what an upstream says by itself. */
export interface Listeners {
  readonly onListChanged: () => void;
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
    for (const what of ["tools", "prompts", "resources"] as const)
      client.setNotificationHandler(`notifications/${what}/list_changed`, () => listeners.onListChanged());
    client.onclose = () => listeners.onClosed();
    client.onerror = () => {}; // what is no message was left out already
    try {
      await client.connect(transport, { signal, timeout: LIMITS.upstreamStartMs.default });
      void listen(client);
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
    const { tools } = await this.#client.listTools(undefined, LISTING);
    return bearable("tools", tools).map(toolFrom);
  }

  /** Prompts, resources and their templates, each by its place. */
  async offers(): Promise<readonly UpstreamTool[]> {
    const { prompts, resources } = this.#client.getServerCapabilities() ?? {};
    const client = this.#client;
    const found = await Promise.all([
      prompts === undefined ? [] : client.listPrompts(undefined, LISTING).then((list) => list.prompts),
      resources === undefined ? [] : client.listResources(undefined, LISTING).then((list) => list.resources),
      // A server that has none need not know the method.
      resources === undefined
        ? []
        : client.listResourceTemplates(undefined, LISTING).then((list) => list.resourceTemplates, noneIfUnknown),
    ]);
    return [
      ...bearable("prompts", found[0]).map(definitionOfPrompt),
      ...bearable("resources", found[1]).map(definitionOfResource),
      ...bearable("templates", found[2]).map(definitionOfTemplate),
    ];
  }

  call(name: string, input: JsonObject, options: AskOptions): Promise<UpstreamAnswer> {
    return this.#ask(options, async (asked) =>
      resultFrom(await this.#client.callTool({ name, arguments: { ...input } }, asked)),
    );
  }

  prompt(name: string, input: JsonObject, options: AskOptions): Promise<UpstreamAnswer> {
    // The cast: its schema lets nothing through but texts.
    const given = { ...input } as Record<string, string>;
    return this.#ask(options, async (asked) =>
      promptResultFrom(await this.#client.getPrompt({ name, arguments: given }, asked)),
    );
  }

  /** Asked for each time: what was read before says nothing of what is there now. */
  read(uri: string, options: AskOptions): Promise<UpstreamAnswer> {
    return this.#ask(options, async (asked) =>
      readResultFrom(await this.#client.readResource({ uri }, { ...asked, cacheMode: "bypass" }), uri),
    );
  }

  async #ask(
    { signal, timeoutMs, onProgress }: AskOptions,
    ask: (options: RequestOptions) => Promise<RunResult>,
  ): Promise<UpstreamAnswer> {
    try {
      const result = await ask({
        signal,
        timeout: timeoutMs,
        onprogress: ({ progress, total, message = "" }) =>
          onProgress({ message, done: progress, ...(total !== undefined && { total }) }),
      });
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
    if (code === BROKEN_OFF) return { kind: "lost" };
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

/**
 * Since 2026-07-28 a change of a list is told only to who asks for it. Without an answer changes are seen at the next
 * connection, and a call of what has changed is refused all the same: the list is held against the pins before each.
 */
async function listen(client: Client): Promise<void> {
  if (client.getProtocolEra() !== "modern") return;
  const { tools, prompts, resources } = client.getServerCapabilities() ?? {};
  const filter = {
    ...(tools?.listChanged && { toolsListChanged: true }),
    ...(prompts?.listChanged && { promptsListChanged: true }),
    ...(resources?.listChanged && { resourcesListChanged: true }),
  };
  if (Object.keys(filter).length > 0) await client.listen(filter).catch(() => {});
}

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

/** Always anew: it is listed because something may have changed. */
const LISTING = { timeout: LIMITS.upstreamStartMs.default, cacheMode: "refresh" } as const;

function bearable<Item>(what: string, items: readonly Item[]): readonly Item[] {
  if (items.length <= LIMITS.upstreamTools.default) return items;
  throw new RangeError(`it offers more than ${LIMITS.upstreamTools.default} ${what}`);
}

const METHOD_NOT_FOUND = -32_601;

const noneIfUnknown = (error: unknown): [] => {
  if ((error as { readonly code?: unknown }).code === METHOD_NOT_FOUND) return [];
  throw error;
};

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
