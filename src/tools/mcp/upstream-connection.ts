import type { CallToolResult, Client, RequestOptions, Tool, Transport } from "@modelcontextprotocol/client";
import type { JsonObject, JsonValue } from "../../domain/json.ts";
import { LIMITS } from "../../domain/limits.ts";
import type { RunResult } from "../../domain/tool.ts";
import type { SandboxedProgram } from "../../ports/sandbox.ts";
import { answerFromError } from "./answer-from-error.ts";
import type { AskOptions } from "./ask-options.ts";
import { definitionOfTool } from "./definition-of-tool.ts";
import { httpTransport, type WayByHttp } from "./http-transport.ts";
import { lateDiscovery } from "./late-discovery.ts";
import { ListFilter } from "./list-filter.ts";
import type { Listed } from "./listed.ts";
import { definitionOfPrompt, definitionOfResource, definitionOfTemplate, OFFER_KINDS, placeOf } from "./offers.ts";
import { OutputSchemas } from "./output-schemas.ts";
import { ProgramTransport } from "./program-transport.ts";
import type { UpstreamAnswer } from "./upstream-answer.ts";
import { type Greeting, handshakeMs, listen, newClient } from "./upstream-client.ts";
import { fault, type UpstreamFault } from "./upstream-fault.ts";
import { promptResultFrom, readResultFrom, resultFrom, resultProblem } from "./upstream-result.ts";
import { endOf, whyNotOpen } from "./why-not-open.ts";
import { withoutDoubles } from "./without-doubles.ts";

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
  readonly #filter: ListFilter;
  readonly #outputs = new OutputSchemas();
  /**
   * What the SDK is told of a tool that is called. INVARIANT (sent once): with less, an upstream that finds fault with the headers of a
   * call is listed and called again by the SDK, after whatever it has done, and without a look at its definitions.
   */
  readonly #inputs = new Map<string, Tool>();
  /** The number of requests without an answer. */
  #asked = 0;

  readonly #transport: Transport;
  #isSessionOver = false;
  /**
   * It was ended because it sent more in one message than anybody would keep, and that was an answer to the only one who waited.
   * Where several did, nobody knows whose it was, nor what became of the others.
   */
  #isAnswerTooLong = false;

  private constructor(client: Client, transport: Transport, program: ProgramTransport | null, filter: ListFilter) {
    this.#client = client;
    this.#transport = transport;
    this.#filter = filter;
    this.#program = program;
    if (program !== null)
      program.onTooLong = () => {
        this.#isAnswerTooLong = this.#asked === 1;
      };
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

  /** Throws what keeps it from being listed, also that nobody waits for it any more. */
  async tools(signal: AbortSignal): Promise<Listed> {
    if (this.#client.getServerCapabilities()?.tools === undefined) return NOTHING;
    this.#filter.forget();
    const { tools } = await this.#client.listTools(undefined, listing(signal));
    const malformed = this.#filter.taken("tools");
    const known = withoutDoubles({ listed: tools.map(definitionOfTool), malformed });
    this.#outputs.know(known.listed);
    this.#inputs.clear();
    for (const { name, inputSchema } of known.listed)
      this.#inputs.set(name, { name, inputSchema: inputSchema as Tool["inputSchema"] });
    return known;
  }

  /** Prompts, resources and their templates, each by its place. */
  async offers(signal: AbortSignal): Promise<Listed> {
    const options = listing(signal);
    const { prompts, resources } = this.#client.getServerCapabilities() ?? {};
    const client = this.#client;
    this.#filter.forget();
    const found = await Promise.all([
      prompts === undefined ? [] : client.listPrompts(undefined, options).then((list) => list.prompts),
      resources === undefined ? [] : client.listResources(undefined, options).then((list) => list.resources),
      // A server that has none need not know the method.
      resources === undefined
        ? []
        : client.listResourceTemplates(undefined, options).then((list) => list.resourceTemplates, noneIfUnknown),
    ]);
    const malformed = OFFER_KINDS.flatMap((kind) =>
      this.#filter.taken(kind).map(({ name, because }) => ({ name: name && placeOf(kind, name), because })),
    );
    const listed = [
      ...found[0].map(definitionOfPrompt),
      ...found[1].map(definitionOfResource),
      ...found[2].map(definitionOfTemplate),
    ];
    return withoutDoubles({ listed, malformed });
  }

  call(name: string, input: JsonObject, options: AskOptions): Promise<UpstreamAnswer> {
    return this.#ask(options, async (asked) => {
      const toolDefinition = this.#inputs.get(name) ?? { name, inputSchema: NO_HEADERS };
      const result: unknown = await this.#client.callTool(
        { name, arguments: { ...input } },
        { ...asked, toolDefinition },
      );
      return this.#read(name, result as JsonValue);
    });
  }

  #read(name: string, answer: JsonValue): UpstreamAnswer {
    try {
      return this.#taken(name, answer);
    } catch {
      return { kind: "bad", message: "the answer can't be read: it is nested too deep, or of another kind" };
    }
  }

  #taken(name: string, answer: JsonValue): UpstreamAnswer {
    const wrong = resultProblem(answer);
    if (wrong !== null) return { kind: "bad", message: wrong };
    // The cast: it has just been looked at.
    const result = answer as unknown as CallToolResult;
    const mismatch = this.#outputs.mismatch(name, result);
    if (mismatch !== null) return { kind: "error", code: INVALID_PARAMS, message: mismatch }; // as the SDK says it
    return answered(resultFrom(result));
  }

  prompt(name: string, input: JsonObject, options: AskOptions): Promise<UpstreamAnswer> {
    // The cast: its schema lets nothing through but texts.
    const given = { ...input } as Record<string, string>;
    return this.#ask(options, async (asked) =>
      answered(promptResultFrom(await this.#client.getPrompt({ name, arguments: given }, asked))),
    );
  }

  /** Asked for each time: what was read before says nothing of what is there now. */
  read(uri: string, options: AskOptions): Promise<UpstreamAnswer> {
    return this.#ask(options, async (asked) =>
      answered(readResultFrom(await this.#client.readResource({ uri }, { ...asked, cacheMode: "bypass" }), uri)),
    );
  }

  async #ask(
    { signal, timeoutMs, onProgress }: AskOptions,
    ask: (options: RequestOptions) => Promise<UpstreamAnswer>,
  ): Promise<UpstreamAnswer> {
    this.#asked++;
    try {
      return await ask({
        signal,
        timeout: timeoutMs,
        onprogress: ({ progress, total, message = "" }) =>
          onProgress({ message, done: progress, ...(total !== undefined && { total }) }),
      });
    } catch (error) {
      return this.#answerFrom(error);
    } finally {
      this.#asked--;
    }
  }

  /** Whether somebody waits for an answer. */
  get isBusy(): boolean {
    return this.#asked > 0;
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

  #sessionOver(): UpstreamAnswer {
    this.#isSessionOver = true;
    void this.#client.close().catch(() => {});
    return { kind: "unsent", fault: fault("CONNECT_FAILED", "its session has ended", "try again") };
  }

  #answerFrom(error: unknown): UpstreamAnswer {
    if (this.#isAnswerTooLong) return TOO_LONG;
    const isInSession = this.isOld && this.#transport.sessionId !== undefined;
    const answer = answerFromError(error, isInSession ? "has session" : "has none");
    return answer === "session over" ? this.#sessionOver() : answer;
  }
}

const NO_HEADERS = { type: "object" } as const;

const answered = (result: RunResult): UpstreamAnswer => ({ kind: "answered", result });

const TOO_LONG: UpstreamAnswer = { kind: "bad", message: "its answer is larger than anybody would keep" };

/** Always anew: it is listed because something may have changed. All pages together take no longer than one may. */
const listing = (signal: AbortSignal) =>
  ({
    timeout: LIMITS.upstreamStartMs.default,
    signal: AbortSignal.any([signal, AbortSignal.timeout(LIMITS.upstreamStartMs.default)]),
    cacheMode: "refresh",
  }) as const;

const METHOD_NOT_FOUND = -32_601;
const INVALID_PARAMS = -32_602;

const noneIfUnknown = (error: unknown): [] => {
  if ((error as { readonly code?: unknown }).code === METHOD_NOT_FOUND) return [];
  throw error;
};
