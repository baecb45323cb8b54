import type { RawCall, Tool } from "../domain/call.ts";
import { EVERYTHING, type Lease, type Session } from "../domain/lease.ts";
import { NEVER } from "../domain/never.ts";
import type { Outcome, Refusal } from "../domain/outcome.ts";
import type { Progress, ToolDefinition } from "../domain/tool.ts";
import type { FormatName, MessagesFor, ToolsFor } from "../formats/formats.ts";
import type { Offer, OfferOptions } from "../formats/offer.ts";
import { CallStream, type StreamEvent } from "../pipeline/call-stream.ts";
import { type Explanation, explain, explainRefused } from "../pipeline/explain.ts";
import { foresee } from "../pipeline/foresee.ts";
import { inOrder } from "../pipeline/in-order.ts";
import { KeyedCalls } from "../pipeline/keyed-calls.ts";
import { refuseUnseen, run } from "../pipeline/run.ts";
import type { Sessions } from "../sessions/sessions.ts";
import { Admission } from "./admission.ts";
import type { AgentPrograms } from "./agent-programs.ts";
import type { Always } from "./always.ts";
import { Approvals } from "./approvals.ts";
import type { BlobReader } from "./blob-reader.ts";
import { callPorts } from "./call-ports.ts";
import { checkedConcurrency } from "./checked-concurrency.ts";
import type { ClientExecutors } from "./client-executors.ts";
import { Executions } from "./executions.ts";
import type { FaultLog } from "./fault-log.ts";
import type {
  AnswerOptions,
  BatchCall,
  BatchCalls,
  BatchOptions,
  BatchResult,
  CallOptions,
  GateCall,
} from "./gate-call.ts";
import type { GateParts, InForce } from "./gate-parts.ts";
import { keepOutcome } from "./keep-outcome.ts";
import type { Ledger } from "./ledger.ts";
import type { Feed, LiveFeed } from "./live-feed.ts";
import { ModelTurns } from "./model-turns.ts";
import { rawCallFrom } from "./raw-call.ts";
import { rawCallsFrom } from "./raw-calls.ts";
import { RunningCalls, type UsedListener } from "./running-calls.ts";
import { isTool, shownToolName } from "./shown-tool-name.ts";
import { ToolEvents } from "./tool-events.ts";
import { toolsWithin } from "./tools-within.ts";
import type { Upstreams } from "./upstreams.ts";
import { madeFor, noSession } from "./whose-session.ts";

/** What every door talks to. */
export class Gate {
  readonly ledger: Ledger;
  readonly approvals: Approvals;
  readonly always: Always;
  readonly blobs: BlobReader;
  /** Where an exception of a door's own is reported. */
  readonly faults: FaultLog;
  readonly upstreams: Upstreams;
  /** Clients that run tools themselves. */
  readonly executors: ClientExecutors;
  /** Agents that are started behind the gate. */
  readonly agentPrograms: AgentPrograms;
  /** Calls that go on without their caller. */
  readonly executions: Executions;
  readonly sessions: Sessions;
  /** The events of A2A-ACP. */
  readonly toolEvents: ToolEvents;
  readonly #parts: GateParts;
  readonly #keyed: KeyedCalls;
  readonly #running: RunningCalls;
  readonly #admission: Admission;
  readonly checkTools: GateParts["lint"] = () => this.#parts.lint();
  /** Whether the rules on the disk, or those that are given, would load. */
  readonly checkRules: GateParts["checkRules"] = (given) => this.#parts.checkRules(given);
  #live: LiveFeed | null = null;
  readonly #turns = new ModelTurns({
    definitions: () => this.#definitions(),
    newId: () => this.#parts.ids.next("call"),
  });

  constructor(given: GateParts) {
    const progress = (callId: string, step: Progress) => this.#live?.feed.progress(callId, step);
    const parts = { ...given, ports: { ...given.ports, progress } };
    this.#parts = parts;
    this.ledger = parts.ledger;
    this.#running = new RunningCalls((raw, outcome) => keepOutcome(raw, outcome, parts));
    this.approvals = new Approvals({ ...parts, admit: (...call) => this.#admission.admit(...call) });
    this.executions = new Executions({
      ...parts,
      approvals: this.approvals,
      running: this.#running,
      call: (call, options) => this.call(call, options),
    });
    this.always = parts.always;
    this.blobs = parts.blobs;
    this.faults = parts.faults;
    this.upstreams = parts.upstreams;
    this.executors = parts.executors;
    this.agentPrograms = parts.agentPrograms;
    this.upstreams.source.onChange(() => this.#turns.forget());
    this.sessions = parts.sessions;
    this.toolEvents = new ToolEvents(parts);
    this.#admission = new Admission({
      running: this.#running,
      toolEvents: this.toolEvents,
      rules: parts.rules,
      catalog: parts.ports.catalog,
      faults: parts.faults,
    });
    this.#keyed = new KeyedCalls(parts.ports, parts.owner);
  }

  /** Makes one governed call. Never throws for what the call does: every end is an outcome. */
  call(call: GateCall, options: CallOptions = {}): Promise<Outcome> {
    const pending = this.#unsettled(call.tool);
    return pending === null ? this.#begin(call, options) : pending.then(() => this.#begin(call, options));
  }

  /** Plan and decision; nothing runs and nothing is written. */
  async explain(call: GateCall, { signal = NEVER }: CallOptions = {}): Promise<Explanation> {
    await this.#unsettled(call.tool);
    const refusal = noSession(call);
    return refusal === null
      ? explain(this.#raw(call), this.#parts.ports, signal)
      : explainRefused(refusal, this.#parts.ports);
  }

  /** The rules and what the server is told, as they are now: they follow their files. */
  get inForce(): InForce {
    return this.#parts.inForce();
  }

  get project(): string {
    return this.#parts.project;
  }

  /** Who makes calls and gives answers here, unless something else is said. */
  get actor(): string {
    return this.#parts.actor;
  }

  /** The real path of the folder that `./` means. */
  get workspace(): string {
    return this.#parts.ports.workspace;
  }

  /** For doors without sessions of their own: a new one, of one connection. */
  session(lease: Lease = EVERYTHING): Session {
    return { id: this.#parts.ids.next("session"), project: this.#parts.project, lease };
  }

  /** One result for each call, in their order. Calls that conflict run in that order, the rest side by side. */
  async batch(calls: Iterable<BatchCall>, options: BatchOptions = {}): Promise<readonly BatchResult[]> {
    return await Array.fromAsync(this.results(calls, options));
  }

  /** The same for calls that come one by one. Leaving the loop cancels. What a door could make no call of has its place, too. */
  results(
    calls: BatchCalls,
    { concurrency, signal = NEVER, whenAsked = "wait" }: BatchOptions = {},
  ): AsyncGenerator<BatchResult, void, void> {
    const { ports } = this.#parts;
    const settled = (tool: string) => this.#unsettled(tool);
    return inOrder(
      rawCallsFrom(calls, settled, (call) => this.#raw(call, whenAsked)),
      {
        concurrency: checkedConcurrency(concurrency),
        signal,
        foresee: async ({ raw, op, refusal }, until) => (refusal ? [] : await foresee(raw, op, ports, until)),
        make: async ({ raw, op, refusal }, until): Promise<BatchResult> => {
          if (op === "explain") return refusal ? explainRefused(refusal, ports) : await explain(raw, ports, until);
          return await (refusal ? this.#refuse(raw, refusal, until) : this.#make(raw, { signal: until }));
        },
      },
    );
  }

  /** One call as it goes: its progress, and last its outcome. Leaving the loop cancels. */
  stream(call: GateCall, { signal = NEVER }: Pick<CallOptions, "signal"> = {}): CallStream {
    return new CallStream((until, onProgress) => this.call(call, { signal: until, onProgress }), signal);
  }

  /** The tools, as they are or as a provider of models takes them. */
  tools(): readonly ToolDefinition[];
  tools<Name extends FormatName>(format: Name, options?: OfferOptions): ToolsFor<Name>;
  tools<Name extends FormatName>(format?: Name, options?: OfferOptions): readonly ToolDefinition[] | ToolsFor<Name> {
    return format === undefined ? this.#definitions() : this.#turns.offer(format).tools(options);
  }

  /** Those that a session could call at all: its lease of this moment covers their names. */
  readonly toolsFor = (session: Session): readonly ToolDefinition[] =>
    toolsWithin(this.#definitions(), session, this.#parts.ports);

  /** The tools by the names that a format's users know them by. */
  offer<Name extends FormatName>(format: Name): Offer<Name> {
    return this.#turns.offer(format);
  }

  /**
   * Makes every tool call of a model's response, and gives back what belongs into the next request behind it: none where it
   * calls no tool. Calls that conflict run in their order. Throws a `ResponseError`, and makes no call, for what is no response.
   */
  answer<Name extends FormatName>(
    format: Name,
    response: unknown,
    options: AnswerOptions = {},
  ): Promise<MessagesFor<Name>> {
    return this.#turns.answer(format, response, (calls) => this.results(madeFor(calls, options), options));
  }

  /** For a process that stays: opens the journal, tells of the rules, and goes on with what others left approved. */
  async begin(): Promise<Refusal | null> {
    const { rules } = this.#parts;
    const refusal = rules === null ? null : await rules.told();
    if (refusal !== null) return refusal;
    const { openLiveFeed } = await import("./live-feed.ts");
    this.#live ??= openLiveFeed({ ...this.#parts.ports, ...this.#parts, clock: this.#parts.steady });
    this.onToolUsed((used, sessionId) => this.#live?.feed.tellLater("tool_used", { ...used }, sessionId));
    this.executors.serve((isMeant) => this.executions.carryOnAll(isMeant));
    await this.executions.resume();
    return null;
  }

  /** Told of each call that has ended here: which tool, how long, and whether it did what was asked. */
  readonly onToolUsed = (listener: UsedListener): (() => void) => this.#running.onUsed(listener);

  /** What happens, for those who listen. Throws before `begin`. */
  get events(): Feed {
    if (this.#live === null) throw new Error("the gate has not begun");
    return this.#live.feed;
  }

  /** Why no call could be recorded now; null = one could. */
  async readiness(): Promise<Refusal | null> {
    const noted = await this.#parts.ports.journal.lastNote("policy.loaded");
    return noted.kind === "failed" ? noted.refusal : null;
  }

  /** Takes no more calls, waits for those in flight, and puts the ledger under a checkpoint. */
  async close(): Promise<void> {
    this.#admission.close();
    this.executors.close();
    await this.#running.idle();
    this.#live?.stop();
    this.#parts.rules?.stop();
    await this.upstreams.source.close().then(this.#parts.cleared);
    this.#parts.view.close();
    this.#parts.outcomes.close();
    await this.sessions.stop();
    await this.#parts.ports.journal.close();
  }

  #definitions(): readonly ToolDefinition[] {
    return [...this.#parts.ports.catalog.all()].map((tool: Tool) => tool.definition);
  }

  /** A tool's name as it may be shown. */
  toolName(given: unknown): string {
    return shownToolName(given, this.#parts.ports);
  }

  /** A tool that is not known may be one of an upstream that was never asked. */
  #unsettled(tool: string): Promise<void> | null {
    return isTool(tool, this.#parts.ports) ? null : this.upstreams.source.pending();
  }

  #begin(call: GateCall, options: CallOptions): Promise<Outcome> {
    const raw = this.#raw(call, options.whenAsked);
    options.onMade?.(raw.callId);
    const refusal = noSession(call);
    return refusal === null ? this.#make(raw, options) : this.#refuse(raw, refusal, options.signal ?? NEVER);
  }

  #make(raw: RawCall, options: CallOptions): Promise<Outcome> {
    const { signal = NEVER } = options;
    const asking = callPorts(this.#parts, options);
    const { key } = raw;
    if (key === undefined) return this.#admission.run(raw, asking, signal);
    return this.#admission.admit(raw, signal, (until) =>
      this.#keyed.make(raw, key, { start: (keyed) => run(keyed, asking, until), signal: until }),
    );
  }

  #refuse(raw: RawCall, refusal: Refusal, signal: AbortSignal): Promise<Outcome> {
    return this.#admission.admit(raw, signal, () => refuseUnseen(raw, this.#parts.ports, refusal));
  }

  #raw(call: GateCall, whenAsked: CallOptions["whenAsked"] = "wait"): RawCall {
    return rawCallFrom(call, whenAsked, this.#parts);
  }
}

export type { GivenHere } from "../ports/desk.ts";
export type { LeaseSource } from "../sessions/lease-source.ts";
export type { SessionInfo } from "../sessions/session-info.ts";
export type { AnswerOptions, BatchCall, BatchOptions, BatchResult, CallOptions, GateCall } from "./gate-call.ts";
export type { Explanation, FormatName, MessagesFor, Sessions, StreamEvent, ToolsFor };
