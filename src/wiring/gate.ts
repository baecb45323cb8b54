import type { ApprovalDesk } from "../approval/desk.ts";
import type { RawCall, Tool } from "../domain/call.ts";
import type { JsonValue } from "../domain/json.ts";
import type { Session } from "../domain/lease.ts";
import { LIMITS } from "../domain/limits.ts";
import { NEVER } from "../domain/never.ts";
import type { Outcome, Refusal, Refused } from "../domain/outcome.ts";
import type { Progress, ToolDefinition } from "../domain/tool.ts";
import type { FormatName, MessagesFor, ToolsFor } from "../formats/formats.ts";
import { CallStream, type StreamEvent } from "../pipeline/call-stream.ts";
import { type Explanation, explain } from "../pipeline/explain.ts";
import { foresee, type Op } from "../pipeline/foresee.ts";
import { inOrder } from "../pipeline/in-order.ts";
import { KeyedCalls } from "../pipeline/keyed-calls.ts";
import { FAULT } from "../pipeline/life.ts";
import type { PipelinePorts } from "../pipeline/pipeline-ports.ts";
import { run } from "../pipeline/run.ts";
import type { Ids } from "../ports/ids.ts";
import type { LeaseSource } from "../sessions/lease-source.ts";
import type { SessionInfo } from "../sessions/session-info.ts";
import type { Sessions } from "../sessions/sessions.ts";
import type { Always } from "./always.ts";
import { Approvals } from "./approvals.ts";
import type { BlobReader } from "./blob-reader.ts";
import type { Ledger } from "./ledger.ts";
import type { LiveRules } from "./live-rules.ts";
import { ModelTurns } from "./model-turns.ts";
import { CLOSED, refusedAtTheDoor } from "./refused-at-the-door.ts";

/** A call as a program makes it. */
export interface GateCall {
  readonly tool: string;
  readonly input: JsonValue;
  /** Whose lease binds it: what `gate.sessions` opened or checked. Left out: this gate's own, which is bound by nothing. */
  readonly session?: Session;
  readonly actor?: string;
  /**
   * A name for this very call, so that making it again (after a lost answer) is not making it twice: for an hour whoever makes
   * it again under the same key hears what became of it. Empty = none.
   */
  readonly key?: string;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
  /** What to do when a person has to be asked: wait for the answer, or come back with a `pending` outcome at once. */
  readonly whenAsked?: "wait" | "return";
}

/** One of many: a call to be made, or only to be explained. */
export interface BatchCall extends GateCall {
  readonly op?: Op;
}

export interface BatchOptions {
  /** How many run at a time. */
  readonly concurrency?: number;
  readonly signal?: AbortSignal;
  /** As for a single call. */
  readonly whenAsked?: CallOptions["whenAsked"];
}

/** For all calls of a model's response. */
export interface AnswerOptions extends BatchOptions, Pick<GateCall, "session" | "actor"> {}

/** The outcome of a call, the explanation of one that is only explained. */
export type BatchResult = Outcome | Explanation;

export interface GateParts {
  readonly ports: PipelinePorts;
  readonly ids: Ids;
  readonly project: string;
  /** Of calls that name no session. */
  readonly session: Session;
  readonly owner: string;
  readonly host: string;
  readonly actor: string;
  readonly ledger: Ledger;
  readonly desk: ApprovalDesk;
  readonly always: Always;
  /** Null: the rules are somebody else's, and so is telling the ledger of them. */
  readonly rules: LiveRules | null;
  readonly blobs: BlobReader;
  readonly sessions: Sessions;
}

const CONCURRENCY = LIMITS.batchConcurrency;

/** What every door talks to. */
export class Gate {
  readonly ledger: Ledger;
  readonly approvals: Approvals;
  readonly always: Always;
  readonly blobs: BlobReader;
  readonly sessions: Sessions;
  readonly #parts: GateParts;
  readonly #session: Session;
  readonly #keyed: KeyedCalls;
  readonly #landed = () => {
    this.#inFlight--;
    if (this.#inFlight === 0) this.#whenEmpty?.();
  };
  readonly #turns = new ModelTurns({
    definitions: () => this.#definitions(),
    newId: () => this.#parts.ids.next("call"),
  });
  #inFlight = 0;
  #whenEmpty: (() => void) | null = null;
  #closed = false;
  #telling: Promise<Refusal | null> | null = null;

  constructor(parts: GateParts) {
    this.#parts = parts;
    this.ledger = parts.ledger;
    this.approvals = new Approvals({ ...parts, admit: (raw, start) => this.#admit(raw, start) });
    this.always = parts.always;
    this.blobs = parts.blobs;
    this.sessions = parts.sessions;
    this.#session = parts.session;
    this.#keyed = new KeyedCalls(parts.ports, parts.owner);
  }

  /** Makes one governed call. Never throws for what the call does: every end is an outcome. */
  call(call: GateCall, options: CallOptions = {}): Promise<Outcome> {
    return this.#make(this.#raw(call, options.whenAsked), options);
  }

  /** Plan and decision; nothing runs and nothing is written. */
  explain(call: GateCall, { signal = NEVER }: CallOptions = {}): Promise<Explanation> {
    return explain(this.#raw(call), this.#parts.ports, signal);
  }

  /** Who makes calls and gives answers here, unless something else is said. */
  get actor(): string {
    return this.#parts.actor;
  }

  /** One result for each call, in their order. Calls that conflict run in that order, the rest side by side. */
  async batch(calls: Iterable<BatchCall>, options: BatchOptions = {}): Promise<readonly BatchResult[]> {
    return await Array.fromAsync(this.results(calls, options));
  }

  /**
   * The same for calls that come one by one, or are more than the memory holds. Leaving the loop cancels. What a door
   * could make no call of has its refusal already, and only keeps its place.
   */
  results(
    calls: Iterable<BatchCall | Refused> | AsyncIterable<BatchCall | Refused>,
    { concurrency = CONCURRENCY.default, signal = NEVER, whenAsked = "wait" }: BatchOptions = {},
  ): AsyncGenerator<BatchResult, void, void> {
    const { minimum, maximum } = CONCURRENCY;
    if (!(Number.isInteger(concurrency) && concurrency >= minimum && concurrency <= maximum)) {
      throw new RangeError(`\`concurrency\` has to be a whole number from ${minimum} to ${maximum}`);
    }
    const { ports } = this.#parts;
    return inOrder(this.#rawCalls(calls, whenAsked), {
      concurrency,
      signal,
      foresee: async (each, until) => ("refused" in each ? [] : await foresee(each.raw, each.op, ports, until)),
      make: async (each, until): Promise<BatchResult> => {
        if ("refused" in each) return each.refused;
        const { raw, op } = each;
        return await (op === "explain" ? explain(raw, ports, until) : this.#make(raw, { signal: until }));
      },
    });
  }

  /** One call as it goes: its progress, and last its outcome. Leaving the loop cancels. */
  stream(call: GateCall, { signal = NEVER }: Pick<CallOptions, "signal"> = {}): CallStream {
    return new CallStream((until, onProgress) => this.call(call, { signal: until, onProgress }), signal);
  }

  /** The tools, as they are or as a provider of models takes them. */
  tools(): readonly ToolDefinition[];
  tools<Name extends FormatName>(format: Name): ToolsFor<Name>;
  tools<Name extends FormatName>(format?: Name): readonly ToolDefinition[] | ToolsFor<Name> {
    return format === undefined ? this.#definitions() : this.#turns.offer(format).tools();
  }

  /**
   * Makes every tool call of a model's response, and gives back what belongs into the next request behind that response.
   * None where it calls no tool. Calls that conflict run in their order. Throws a `ResponseError`, and makes no call, for
   * what is no response of this provider.
   */
  answer<Name extends FormatName>(
    format: Name,
    response: unknown,
    { session = this.#session, actor = this.#parts.actor, ...options }: AnswerOptions = {},
  ): Promise<MessagesFor<Name>> {
    return this.#turns.answer(format, response, (calls) =>
      this.results(
        calls.map((call) => (call.kind === "refused" ? call : { ...call, session, actor })),
        options,
      ),
    );
  }

  /** Takes no more calls, waits for those in flight, and puts the ledger under a checkpoint. */
  async close(): Promise<void> {
    this.#closed = true;
    if (this.#inFlight > 0) {
      await new Promise<void>((resolve) => {
        this.#whenEmpty = resolve;
      });
    }
    this.#parts.rules?.stop();
    await this.sessions.stop();
    await this.#parts.ports.journal.close();
  }

  #definitions(): readonly ToolDefinition[] {
    return [...this.#parts.ports.catalog.all()].map((tool: Tool) => tool.definition);
  }

  /** A tool's name as it may be shown. What is none may be anything, also a secret; and not every caller is TypeScript. */
  toolName(given: unknown): string {
    if (typeof given !== "string") return "";
    return this.#isTool(given) ? given : this.#parts.ports.redactor.text(given);
  }

  #isTool(name: string): boolean {
    try {
      return this.#parts.ports.catalog.find(name) !== undefined;
    } catch {
      return false; // the first stage meets the same mistake, and makes an outcome of it
    }
  }

  #make(raw: RawCall, { signal = NEVER, onProgress }: CallOptions): Promise<Outcome> {
    const { ports } = this.#parts;
    const watched = onProgress ? { ...ports, progress: (_: string, step: Progress) => onProgress(step) } : ports;
    const start = () => run(raw, watched, signal);
    const { key } = raw;
    return this.#admit(raw, key === undefined ? start : () => this.#keyed.make(raw, key, { start, signal }));
  }

  /** Every call comes in here, a new one and one that is carried on: closing the gate waits for them all. */
  #admit(raw: RawCall, start: () => Promise<Outcome>): Promise<Outcome> {
    if (this.#closed) return Promise.resolve(refusedAtTheDoor(raw, CLOSED));
    const { rules } = this.#parts;
    const outcome = rules === null || rules.isTold ? start() : this.#tellRules(rules, raw, start);
    this.#inFlight++;
    void outcome.then(this.#landed, this.#landed);
    return outcome;
  }

  /** The ledger hears of the rules before they judge anything. */
  async #tellRules(rules: LiveRules, raw: RawCall, goOn: () => Promise<Outcome>): Promise<Outcome> {
    this.#telling ??= rules.tell().finally(() => {
      this.#telling = null;
    });
    const refusal = await this.#telling.catch(() => FAULT);
    if (refusal !== null) return refusedAtTheDoor(raw, refusal);
    rules.watch();
    return goOn();
  }

  async *#rawCalls(
    calls: Iterable<BatchCall | Refused> | AsyncIterable<BatchCall | Refused>,
    whenAsked: CallOptions["whenAsked"],
  ): AsyncGenerator<{ readonly raw: RawCall; readonly op: Op } | { readonly refused: Refused }> {
    for await (const call of calls)
      yield "refusal" in call ? { refused: call } : { raw: this.#raw(call, whenAsked), op: call.op ?? "call" };
  }

  #raw(
    { tool, input, session = this.#session, actor = this.#parts.actor, key = "" }: GateCall,
    whenAsked: CallOptions["whenAsked"] = "wait",
  ): RawCall {
    const { ids, owner, host, ports } = this.#parts;
    const receivedAtMs = ports.clock.nowMs();
    return {
      callId: ids.next("call", receivedAtMs),
      toolName: this.toolName(tool),
      rawInput: input,
      project: session.project,
      session,
      owner,
      host,
      actor,
      caller: whenAsked === "return" ? "detached" : "attended",
      receivedAtMs,
      ...(key !== "" && { key }),
    };
  }
}

export type { Explanation, FormatName, LeaseSource, MessagesFor, SessionInfo, Sessions, StreamEvent, ToolsFor };
