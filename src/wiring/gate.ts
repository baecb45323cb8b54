import type { RawCall, Tool } from "../domain/call.ts";
import type { JsonValue } from "../domain/json.ts";
import { EVERYTHING, type Session } from "../domain/lease.ts";
import { LIMITS } from "../domain/limits.ts";
import { NEVER } from "../domain/never.ts";
import type { Outcome, Refused } from "../domain/outcome.ts";
import type { Progress, ToolDefinition } from "../domain/tool.ts";
import { CallStream, type StreamEvent } from "../pipeline/call-stream.ts";
import { type Explanation, explain } from "../pipeline/explain.ts";
import { foresee, type Op } from "../pipeline/foresee.ts";
import { inOrder } from "../pipeline/in-order.ts";
import { type PipelinePorts, run } from "../pipeline/run.ts";
import type { Ids } from "../ports/ids.ts";
import type { Ledger } from "./ledger.ts";

/** A call as a program makes it. */
export interface GateCall {
  readonly tool: string;
  readonly input: JsonValue;
  readonly session?: Session;
  readonly actor?: string;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
}

/** One of many: a call to be made, or only to be explained. */
export interface BatchCall extends GateCall {
  readonly op?: Op;
}

export interface BatchOptions {
  /** How many run at a time. */
  readonly concurrency?: number;
  readonly signal?: AbortSignal;
  /** Whether a call that needs a person's answer waits for it. */
  readonly asks?: "wait" | "pending";
}

/** The outcome of a call, the explanation of one that is only explained. */
export type BatchResult = Outcome | Explanation;

export interface GateParts {
  readonly ports: PipelinePorts;
  readonly ids: Ids;
  readonly project: string;
  readonly owner: string;
  readonly host: string;
  readonly actor: string;
  readonly ledger: Ledger;
}

const CONCURRENCY = LIMITS.batchConcurrency;

/** What every door talks to. */
export class Gate {
  readonly ledger: Ledger;
  readonly #parts: GateParts;
  readonly #session: Session;
  readonly #landed = () => {
    this.#inFlight--;
    if (this.#inFlight === 0) this.#whenEmpty?.();
  };
  #inFlight = 0;
  #whenEmpty: (() => void) | null = null;
  #closed = false;

  constructor(parts: GateParts) {
    this.#parts = parts;
    this.ledger = parts.ledger;
    this.#session = { id: parts.ids.next("session"), project: parts.project, lease: EVERYTHING };
  }

  /** Makes one governed call. Never throws for what the call does: every end is an outcome. */
  call(call: GateCall, options: CallOptions = {}): Promise<Outcome> {
    return this.#make(this.#raw(call), options);
  }

  /** Plan and decision; nothing runs and nothing is written. */
  explain(call: GateCall, { signal = NEVER }: CallOptions = {}): Promise<Explanation> {
    return explain(this.#raw(call), this.#parts.ports, signal);
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
    { concurrency = CONCURRENCY.default, signal = NEVER }: BatchOptions = {},
  ): AsyncGenerator<BatchResult, void, void> {
    const { minimum, maximum } = CONCURRENCY;
    if (!(Number.isInteger(concurrency) && concurrency >= minimum && concurrency <= maximum)) {
      throw new RangeError(`\`concurrency\` has to be a whole number from ${minimum} to ${maximum}`);
    }
    const { ports } = this.#parts;
    return inOrder(this.#rawCalls(calls), {
      concurrency,
      signal,
      foresee: async (each, until) => ("refused" in each ? [] : await foresee(each.raw, each.op, ports, until)),
      // Here the desk is told whether to wait: `asks` of the options.
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

  tools(): readonly ToolDefinition[] {
    return [...this.#parts.ports.catalog.all()].map((tool: Tool) => tool.definition);
  }

  /** Takes no more calls, waits for those in flight, and puts the ledger under a checkpoint. */
  async close(): Promise<void> {
    this.#closed = true;
    if (this.#inFlight > 0) {
      await new Promise<void>((resolve) => {
        this.#whenEmpty = resolve;
      });
    }
    await this.#parts.ports.journal.close();
  }

  #make(raw: RawCall, { signal = NEVER, onProgress }: CallOptions): Promise<Outcome> {
    if (this.#closed) return Promise.resolve(closedOutcome(raw));
    const { ports } = this.#parts;
    const outcome = run(
      raw,
      onProgress ? { ...ports, progress: (_, progress) => onProgress(progress) } : ports,
      signal,
    );
    this.#inFlight++;
    void outcome.then(this.#landed, this.#landed);
    return outcome;
  }

  async *#rawCalls(
    calls: Iterable<BatchCall | Refused> | AsyncIterable<BatchCall | Refused>,
  ): AsyncGenerator<{ readonly raw: RawCall; readonly op: Op } | { readonly refused: Refused }> {
    for await (const call of calls)
      yield "refusal" in call ? { refused: call } : { raw: this.#raw(call), op: call.op ?? "call" };
  }

  #raw({ tool, input, session = this.#session, actor = this.#parts.actor }: GateCall): RawCall {
    const { ids, owner, host, ports } = this.#parts;
    return {
      callId: ids.next("call"),
      // Not every caller is TypeScript: what is no name is the name of no tool.
      toolName: typeof tool === "string" ? tool : "",
      rawInput: input,
      project: session.project,
      session,
      owner,
      host,
      actor,
      caller: "attended",
      receivedAtMs: ports.clock.nowMs(),
    };
  }
}

const closedOutcome = ({ callId, toolName }: RawCall): Outcome => ({
  kind: "refused",
  callId,
  tool: toolName,
  durationMs: 0,
  refusal: { code: "CANCELLED", stage: "resolve", message: "the gate is closed", hint: "open it again" },
});

export type { Explanation, StreamEvent };
