import {
  type CallToolResult,
  type Client,
  type RequestOptions,
  ResourceNotFoundError,
  type Transport,
} from "@modelcontextprotocol/client";
import type { JsonObject, JsonValue } from "../../domain/json.ts";
import { LIMITS } from "../../domain/limits.ts";
import type { RunResult } from "../../domain/tool.ts";
import type { SandboxedProgram } from "../../ports/sandbox.ts";
import type { AskOptions } from "./ask-options.ts";
import { definitionOfTool } from "./definition-of-tool.ts";
import { type DirectAnswer, type DirectCalls, wrongWith } from "./direct-calls.ts";
import { BROKEN_OFF } from "./events-from.ts";
import { httpTransport, type WayByHttp } from "./http-transport.ts";
import { lateDiscovery } from "./late-discovery.ts";
import { ListFilter } from "./list-filter.ts";
import type { Listed } from "./listed.ts";
import type { Malformed } from "./malformed.ts";
import { definitionOfPrompt, definitionOfResource, definitionOfTemplate, OFFER_KINDS, placeOf } from "./offers.ts";
import { OutputSchemas } from "./output-schemas.ts";
import { ProgramTransport } from "./program-transport.ts";
import { envelopeOf, type Greeting, handshakeMs, listen, newClient } from "./upstream-client.ts";
import { fault, type UpstreamFault } from "./upstream-fault.ts";
import { promptResultFrom, readResultFrom, resultFrom } from "./upstream-result.ts";
import { WebFetchError } from "./web-fetch.ts";
import { endOf, statusOf, whyNotOpen } from "./why-not-open.ts";
import { withoutDoubles } from "./without-doubles.ts";

/** How a call to an upstream went. */
export type UpstreamAnswer =
  | { readonly kind: "answered"; readonly result: RunResult }
  /** It said no by a JSON-RPC error. */
  | { readonly kind: "error"; readonly code: number; readonly message: string }
  /** There is no such resource. */
  | { readonly kind: "missing" }
  /** It answered with something that can't be taken. */
  | { readonly kind: "bad"; readonly message: string }
  | { readonly kind: "unsent"; readonly fault: UpstreamFault }
  /** It was sent, and nobody knows what became of it. */
  | { readonly kind: "lost" };

const NOTHING: Listed = { listed: [], malformed: [] };

/** Who listens to what an upstream says by itself. */
export interface Listeners {
  readonly onListChanged: () => void;
  readonly onClosed: () => void;
}

/** A connection that has been opened: its era is settled, and it can be asked. */
export class UpstreamConnection {
  readonly #client: Client;
  readonly #program: ProgramTransport | null;
  readonly #direct: DirectCalls | null;
  readonly #filter: ListFilter;
  readonly #outputs = new OutputSchemas();
  /** Questions that go through the SDK. */
  #asked = 0;

  readonly #transport: Transport;
  #isSessionOver = false;

  private constructor(client: Client, transport: Transport, program: ProgramTransport | null, filter: ListFilter) {
    this.#client = client;
    this.#transport = transport;
    this.#filter = filter;
    this.#program = program;
    this.#direct = program?.direct(envelopeOf(client)) ?? null;
  }

  static async open(
    over: SandboxedProgram | WayByHttp,
    listeners: Listeners,
    greeting: Greeting,
    signal: AbortSignal,
  ): Promise<UpstreamConnection | UpstreamFault> {
    const program = "chunks" in over ? new ProgramTransport(over, LIMITS.upstreamMessageBytes.default) : null;
    const transport: Transport = program ?? httpTransport(over as WayByHttp);
    const client = newClient(greeting);
    for (const what of ["tools", "prompts", "resources"] as const)
      client.setNotificationHandler(`notifications/${what}/list_changed`, () => listeners.onListChanged());
    client.onclose = () => listeners.onClosed();
    client.onerror = () => {}; // what is no message was left out already
    const filter = new ListFilter(transport, () => client.getProtocolEra() !== "modern");
    const late = lateDiscovery(transport);
    try {
      const connecting = client.connect(transport, { signal, timeout: handshakeMs(greeting) });
      await (program === null ? connecting : Promise.race([connecting, endOf(program), late]));
      void listen(client);
      return new UpstreamConnection(client, transport, program, filter);
    } catch (error) {
      await client.close().catch(() => {});
      await program?.close();
      return await whyNotOpen(error, program);
    }
  }

  /** Throws what keeps it from being listed. */
  async tools(): Promise<Listed> {
    if (this.#client.getServerCapabilities()?.tools === undefined) return NOTHING;
    this.#filter.taken("tools");
    const { tools } = await this.#client.listTools(undefined, LISTING);
    const malformed = this.#filter.taken("tools");
    const known = withoutDoubles({ listed: bearable("tools", tools, malformed).map(definitionOfTool), malformed });
    this.#outputs.know(known.listed);
    return known;
  }

  /** Prompts, resources and their templates, each by its place. */
  async offers(): Promise<Listed> {
    const { prompts, resources } = this.#client.getServerCapabilities() ?? {};
    const client = this.#client;
    for (const kind of OFFER_KINDS) this.#filter.taken(kind);
    const found = await Promise.all([
      prompts === undefined ? [] : client.listPrompts(undefined, LISTING).then((list) => list.prompts),
      resources === undefined ? [] : client.listResources(undefined, LISTING).then((list) => list.resources),
      // A server that has none need not know the method.
      resources === undefined
        ? []
        : client.listResourceTemplates(undefined, LISTING).then((list) => list.resourceTemplates, noneIfUnknown),
    ]);
    const malformed = OFFER_KINDS.flatMap((kind) =>
      this.#filter.taken(kind).map(({ name, because }) => ({ name: name && placeOf(kind, name), because })),
    );
    const listed = [
      ...bearable("prompts", found[0], malformed).map(definitionOfPrompt),
      ...bearable("resources", found[1], malformed).map(definitionOfResource),
      ...bearable("templates", found[2], malformed).map(definitionOfTemplate),
    ];
    return withoutDoubles({ listed, malformed });
  }

  call(name: string, input: JsonObject, options: AskOptions): Promise<UpstreamAnswer> {
    if (this.#direct !== null) return this.#callDirectly(this.#direct, name, input, options);
    return this.#ask(options, async (asked) =>
      resultFrom(await this.#client.callTool({ name, arguments: { ...input } }, asked)),
    );
  }

  #callDirectly(direct: DirectCalls, name: string, input: JsonObject, options: AskOptions): Promise<UpstreamAnswer> {
    return direct.ask("tools/call", { name, arguments: input }, options).then((answer) => this.#answerOf(name, answer));
  }

  #answerOf(name: string, answer: DirectAnswer): UpstreamAnswer {
    if (answer === null) return this.#program?.isTooLong ? TOO_LONG : { kind: "lost" };
    if ("error" in answer) return { kind: "error", ...answer.error };
    try {
      return this.#read(name, answer.result);
    } catch {
      return { kind: "bad", message: "the answer can't be read: it is nested too deep, or of another kind" };
    }
  }

  #read(name: string, answer: JsonValue): UpstreamAnswer {
    const wrong = wrongWith(answer);
    if (wrong !== null) return { kind: "bad", message: wrong };
    // The cast: it has just been looked at.
    const result = answer as unknown as CallToolResult;
    const mismatch = this.#outputs.mismatch(name, result);
    if (mismatch !== null) return { kind: "error", code: INVALID_PARAMS, message: mismatch }; // as the SDK says it
    return { kind: "answered", result: resultFrom(result) };
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
    this.#asked++;
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
    } finally {
      this.#asked--;
    }
  }

  /** Whether somebody waits for an answer. */
  get isBusy(): boolean {
    return this.#asked > 0 || this.#direct?.isBusy === true;
  }

  get notes(): string {
    return this.#program?.notes ?? "";
  }

  get server(): { readonly name: string; readonly version: string } | undefined {
    return this.#client.getServerVersion();
  }

  /** Whether it was greeted in vain by asking for its era: it is of before 2026-07-28. */
  get isOld(): boolean {
    return this.#client.getProtocolEra() !== "modern";
  }

  get revision(): string | undefined {
    return this.#client.getNegotiatedProtocolVersion();
  }

  async close(): Promise<void> {
    await this.#client.close().catch(() => {});
    await this.#program?.close();
  }

  /** The server has forgotten it: nothing is wrong with that server, and it may be connected to again at once. */
  get isSessionOver(): boolean {
    return this.#isSessionOver;
  }

  /** MCP 2025-11-25, session management: it knows the session no more and has done nothing; a new connection begins another. */
  #sessionOver(): UpstreamAnswer {
    this.#isSessionOver = true;
    void this.#client.close().catch(() => {});
    return { kind: "unsent", fault: fault("CONNECT_FAILED", "its session has ended", "try again") };
  }

  #answerFrom(error: unknown): UpstreamAnswer {
    if (this.#program?.isTooLong) return TOO_LONG;
    const failed = error instanceof WebFetchError ? error : (error as { readonly cause?: unknown }).cause;
    if (failed instanceof WebFetchError) {
      if (failed.how === "unsent") return { kind: "unsent", fault: failed.fault };
      return { kind: "lost" };
    }
    const status = this.#program === null ? statusOf(error) : null;
    // Who has no sessions may say so of anything, also when it is done.
    if (status === NOT_FOUND && this.isOld && this.#transport.sessionId !== undefined) return this.#sessionOver();
    if (status === 401 || status === 403)
      return { kind: "error", code: status, message: "it takes no such call with the token that it was given" };
    const { code, message } = error as { readonly code?: unknown; readonly message?: unknown };
    if (code === BROKEN_OFF) return { kind: "lost" };
    if (error instanceof ResourceNotFoundError) return { kind: "missing" };
    if (typeof code === "number") return { kind: "error", code, message: String(message) };
    return LOCAL_FAULTS.has(code) ? { kind: "bad", message: String(message) } : { kind: "lost" };
  }
}

const NOT_FOUND = 404;

const TOO_LONG: UpstreamAnswer = { kind: "bad", message: "its answer is larger than anybody would keep" };

/** Codes of the SDK for answers that came and can't be taken. */
const LOCAL_FAULTS: ReadonlySet<unknown> = new Set([
  "INVALID_RESULT",
  "UNSUPPORTED_RESULT_TYPE",
  "INPUT_REQUIRED_ROUNDS_EXCEEDED",
  "CAPABILITY_NOT_SUPPORTED",
]);

/** Always anew: it is listed because something may have changed. */
const LISTING = { timeout: LIMITS.upstreamStartMs.default, cacheMode: "refresh" } as const;

function bearable<Item>(what: string, items: readonly Item[], left: readonly Malformed[]): readonly Item[] {
  if (items.length + left.length <= LIMITS.upstreamTools.default) return items;
  throw new RangeError(`it offers more than ${LIMITS.upstreamTools.default} ${what}`);
}

const METHOD_NOT_FOUND = -32_601;
const INVALID_PARAMS = -32_602;

const noneIfUnknown = (error: unknown): [] => {
  if ((error as { readonly code?: unknown }).code === METHOD_NOT_FOUND) return [];
  throw error;
};
