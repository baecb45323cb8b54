import type { GateEvent } from "./gate-event.ts";

/** Live events are news: who takes them late misses the oldest. */
const LIVE_MAX = 256;

/** Something that was told when the ledger had so many entries. */
interface Live {
  readonly event: GateEvent;
  readonly behind: number;
}

/** Somebody who listens. */
export class Follower {
  readonly #signal: AbortSignal;
  readonly #onAbort = () => this.ring();
  #live: Live[] = [];
  /** For this one alone: none is missed. Whoever sends them bounds their number. */
  #own: GateEvent[] = [];
  #isRung = false;
  #wake: (() => void) | null = null;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
    signal.addEventListener("abort", this.#onAbort);
  }

  /** Heard at the next ring. */
  push(event: GateEvent, behind: number): void {
    if (this.#live.length === LIVE_MAX) this.#live.shift();
    this.#live.push({ event, behind });
  }

  pushOwn(event: GateEvent): void {
    this.#own.push(event);
    this.ring();
  }

  /**
   * The page, with what was told meanwhile where it was told: who takes it late hears of a call's progress before its end
   * like everybody else. What was told behind the page waits for the next one, unless this is the last.
   */
  among(page: readonly GateEvent[], isLast: boolean): readonly GateEvent[] {
    if (this.#live.length === 0) return page;
    const events: GateEvent[] = [];
    let taken = 0;
    for (const event of page) {
      for (
        let next = this.#live[taken];
        next !== undefined && next.behind < (event.id ?? 0);
        next = this.#live[taken]
      ) {
        events.push(next.event);
        taken++;
      }
      events.push(event);
    }
    const rest = this.#live.slice(taken);
    this.#live = isLast ? [] : rest;
    return isLast ? [...events, ...rest.map(({ event }) => event)] : events;
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
