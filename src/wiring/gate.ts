import type { RawCall, Tool } from "../domain/call.ts";
import type { JsonValue } from "../domain/json.ts";
import { EVERYTHING, type Session } from "../domain/lease.ts";
import { NEVER } from "../domain/never.ts";
import type { Outcome } from "../domain/outcome.ts";
import type { Progress, ToolDefinition } from "../domain/tool.ts";
import { type Explanation, explain } from "../pipeline/explain.ts";
import { type PipelinePorts, run } from "../pipeline/run.ts";
import type { Ids } from "../ports/ids.ts";
import type { BlobReader } from "./blob-reader.ts";
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

export interface GateParts {
  readonly ports: PipelinePorts;
  readonly ids: Ids;
  readonly project: string;
  readonly owner: string;
  readonly host: string;
  readonly actor: string;
  readonly ledger: Ledger;
  readonly blobs: BlobReader;
}

/** What every door talks to. */
export class Gate {
  readonly ledger: Ledger;
  readonly blobs: BlobReader;
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
    this.blobs = parts.blobs;
    this.#session = { id: parts.ids.next("session"), project: parts.project, lease: EVERYTHING };
  }

  /** Makes one governed call. Never throws for what the call does: every end is an outcome. */
  call(call: GateCall, { signal = NEVER, onProgress }: CallOptions = {}): Promise<Outcome> {
    const raw = this.#raw(call);
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

  /** Plan and decision; nothing runs and nothing is written. */
  explain(call: GateCall, { signal = NEVER }: CallOptions = {}): Promise<Explanation> {
    return explain(this.#raw(call), this.#parts.ports, signal);
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

  #raw({ tool, input, session = this.#session, actor = this.#parts.actor }: GateCall): RawCall {
    const { ids, owner, host, ports } = this.#parts;
    return {
      callId: ids.next("call"),
      toolName: this.toolName(tool),
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

export type { Explanation };
