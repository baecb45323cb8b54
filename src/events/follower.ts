import type { GateEvent } from "./gate-event.ts";

/** Live events are news: who takes them late misses the oldest. */
const LIVE_MAX = 256;

/** Somebody who listens. */
export class Follower {
  readonly #signal: AbortSignal;
  readonly #onAbort = () => this.ring();
  #live: GateEvent[] = [];
  /** For this one alone: none is missed. Whoever sends them bounds their number. */
  #own: GateEvent[] = [];
  #isRung = false;
  #wake: (() => void) | null = null;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
    signal.addEventListener("abort", this.#onAbort);
  }

  push(event: GateEvent): void {
    if (this.#live.length === LIVE_MAX) this.#live.shift();
    this.#live.push(event);
    this.ring();
  }

  pushOwn(event: GateEvent): void {
    this.#own.push(event);
    this.ring();
  }

  taken(): readonly GateEvent[] {
    const live = this.#live;
    this.#live = [];
    return live;
  }

  takenOwn(): readonly GateEvent[] {
    const own = this.#own;
    this.#own = [];
    return own;
  }

  ring(): void {
    this.#isRung = true;
    this.#wake?.();
  }

  /** INVARIANT (no ring missed): one that came since the last time counts. */
  async rung(): Promise<void> {
    if (!this.#isRung && !this.#signal.aborted) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    this.#wake = null;
    this.#isRung = false;
  }

  leave(): void {
    this.#signal.removeEventListener("abort", this.#onAbort);
    this.#wake?.();
  }
}
