import type { Clock } from "../../ports/clock.ts";

/** As often as a server may have news at once: its tools, its prompts, and what a user turns on and off. */
const AT_ONCE = 10;
const FIRST_MS = 1000;
/** Nobody who calls it waits for that; whoever listens for changes does. */
const LONGEST_MS = 5000;
/** After so long without any, it begins anew. */
const QUIET_MS = 10 * 60_000;

/**
 * How long to wait before an upstream that says that something has changed is asked what. INVARIANT (no flood): each change is an entry
 * of the ledger, and each list is read and compared by the process that all others wait for, so one that always says so is asked
 * ever more seldom.
 */
export class Pace {
  #times = 0;
  #lastMs = Number.NEGATIVE_INFINITY;

  /** It is asked. */
  asked(nowMs: number): void {
    if (nowMs - this.#lastMs > QUIET_MS) this.#times = 0;
    this.#times++;
    this.#lastMs = nowMs;
  }

  waitMs(nowMs: number): number {
    if (this.#times < AT_ONCE) return 0;
    const restMs = Math.min(FIRST_MS * 2 ** (this.#times - AT_ONCE), LONGEST_MS);
    return Math.max(0, this.#lastMs + restMs - nowMs);
  }

  /** Comes back when it may be asked, to one at a time. */
  async turn(clock: Clock, signal: AbortSignal): Promise<void> {
    for (;;) {
      const nowMs = clock.monotonicMs();
      const waitMs = this.waitMs(nowMs);
      if (waitMs === 0 || signal.aborted) return this.asked(nowMs);
      await rested(waitMs, clock, signal);
    }
  }
}

async function rested(waitMs: number, clock: Clock, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const stop = () => resolve();
  signal.addEventListener("abort", stop, { once: true });
  const forget = clock.after(waitMs, stop);
  await promise;
  forget();
  signal.removeEventListener("abort", stop);
}
