import type { RawCall } from "../domain/call.ts";
import { NEVER } from "../domain/never.ts";
import type { Outcome } from "../domain/outcome.ts";
import { countedUse, type ToolUsed } from "../domain/tool-used.ts";
import { isTaken } from "./is-taken.ts";

/** Hears of each call that has ended here, and of whose session it was. */
export type UsedListener = (used: ToolUsed, sessionId: string) => void;

type Start = (signal: AbortSignal) => Promise<Outcome>;

/** The calls that are on their way in this process. Closing the gate waits for them all. */
export class RunningCalls {
  /** Told how a detached call ended, before whoever waits for all of them is. */
  readonly #ended: (raw: RawCall, outcome: Outcome) => Promise<void>;
  readonly #stops = new Map<string, AbortController>();
  readonly #inputs = new Map<string, RawCall["rawInput"]>();
  readonly #listeners = new Set<UsedListener>();
  #inFlight = 0;
  /** Those that have ended, and whose end is not told yet. */
  #untold = 0;
  #whenEmpty: (() => void) | null = null;
  readonly #landed = () => {
    this.#inFlight--;
    if (this.#isEmpty()) this.#whenEmpty?.();
  };
  readonly #told = () => {
    this.#untold--;
    if (this.#isEmpty()) this.#whenEmpty?.();
  };

  constructor(ended: (raw: RawCall, outcome: Outcome) => Promise<void>) {
    this.#ended = ended;
  }

  get count(): number {
    return this.#inFlight;
  }

  admit(raw: RawCall, signal: AbortSignal, start: Start): Promise<Outcome> {
    this.#inFlight++;
    this.#inputs.set(raw.callId, raw.rawInput);
    const outcome = raw.caller === "detached" ? this.#detached(raw, signal, start) : start(signal);
    const forget = () => void this.#inputs.delete(raw.callId);
    outcome.then(forget, forget);
    void outcome.then(this.#landed, this.#landed);
    return this.heard(raw, outcome);
  }

  /** What a call that runs in this process was given. Undefined: no such call runs here. */
  inputOf(callId: string): RawCall["rawInput"] | undefined {
    return this.#inputs.get(callId);
  }

  /** For an attended call that is told of otherwise: what it has to call once, when it has ended. */
  takeOff(): () => void {
    this.#inFlight++;
    return this.#landed;
  }

  /** Tells those who listen how it ended, behind whoever waits for it: they count, and nobody waits for that. */
  heard(raw: RawCall, outcome: Promise<Outcome>): Promise<Outcome> {
    if (this.#listeners.size > 0) void outcome.then((end) => process.nextTick(() => this.#tell(end, raw)));
    return outcome;
  }

  onUsed(listener: UsedListener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** What still waits for a person has not been used. */
  #tell(outcome: Outcome, { session }: RawCall): void {
    if (outcome.kind === "pending" || isTaken(outcome)) return;
    const used = countedUse(outcome);
    for (const listener of this.#listeners) listener(used, session.id);
  }

  /** Whether the call was on its way here. It ends by itself, with an outcome that says so. */
  cancel(callId: string): boolean {
    const stop = this.#stops.get(callId);
    stop?.abort();
    return stop !== undefined;
  }

  cancelAll(): void {
    for (const stop of this.#stops.values()) stop.abort();
  }

  /** Until none is left. */
  async idle(): Promise<void> {
    if (this.#isEmpty()) return;
    await new Promise<void>((resolve) => {
      this.#whenEmpty = resolve;
    });
  }

  #isEmpty(): boolean {
    return this.#inFlight + this.#untold === 0;
  }

  /** Nobody holds it but us: it can be cancelled by its id, and its end is kept for those who ask later. */
  #detached(raw: RawCall, signal: AbortSignal, start: Start): Promise<Outcome> {
    const stop = new AbortController();
    this.#stops.set(raw.callId, stop);
    this.#untold++;
    const outcome = start(signal === NEVER ? stop.signal : AbortSignal.any([signal, stop.signal]));
    const left = () => {
      if (this.#stops.get(raw.callId) === stop) this.#stops.delete(raw.callId);
    };
    void outcome
      .finally(left)
      .then((end) => this.#ended(raw, end))
      .then(this.#told, this.#told);
    return outcome;
  }
}
