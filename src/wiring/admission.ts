import type { RawCall } from "../domain/call.ts";
import type { Outcome } from "../domain/outcome.ts";
import type { PipelinePorts } from "../pipeline/pipeline-ports.ts";
import { run } from "../pipeline/run.ts";
import type { Catalog } from "../ports/catalog.ts";
import type { Faults } from "../ports/faults.ts";
import type { LiveRules } from "./live-rules.ts";
import { CLOSED, refusedAtTheDoor } from "./refused-at-the-door.ts";
import type { RunningCalls } from "./running-calls.ts";
import type { ToolEvents } from "./tool-events.ts";
import { isTraced, traced } from "./tracing.ts";

export interface AdmissionParts {
  readonly running: RunningCalls;
  readonly toolEvents: ToolEvents;
  readonly catalog: Catalog;
  readonly faults: Faults;
  /** Null: they never change, and the ledger need not be told. */
  readonly rules: LiveRules | null;
}

type Start = (signal: AbortSignal) => Promise<Outcome>;

/** Every call comes in here, a new one and one that is carried on: closing the gate waits for them all. */
export class Admission {
  readonly #parts: AdmissionParts;
  #isClosed = false;

  constructor(parts: AdmissionParts) {
    this.#parts = parts;
  }

  /** Lets nobody in any more. */
  close(): void {
    this.#isClosed = true;
  }

  /** A call that goes through the pipeline and nothing else. Most do: they take no promise beside that of their outcome. */
  run(raw: RawCall, ports: PipelinePorts, signal: AbortSignal): Promise<Outcome> {
    const { rules, running, toolEvents } = this.#parts;
    const isPlain = raw.caller === "attended" && (rules === null || rules.isTold) && !this.#isClosed && !isTraced();
    if (!isPlain) return this.admit(raw, signal, (until) => run(raw, ports, until));
    const landed = running.takeOff();
    return toolEvents.watch(raw, running.heard(raw, run(raw, ports, signal, undefined, landed)));
  }

  admit(raw: RawCall, signal: AbortSignal, start: Start): Promise<Outcome> {
    const { rules, running, toolEvents, catalog, faults } = this.#parts;
    if (this.#isClosed) return Promise.resolve(refusedAtTheDoor(raw, CLOSED));
    const make: Start =
      rules === null || rules.isTold ? start : (until) => this.#tellRules(rules, raw, () => start(until));
    const told: Start = isTraced() ? (until) => traced(raw, { catalog, faults }, () => make(until)) : make;
    return toolEvents.watch(raw, running.admit(raw, signal, told));
  }

  /** The ledger hears of the rules before they judge anything. */
  async #tellRules(rules: LiveRules, raw: RawCall, goOn: () => Promise<Outcome>): Promise<Outcome> {
    const refusal = await rules.told();
    return refusal === null ? goOn() : refusedAtTheDoor(raw, refusal);
  }
}
