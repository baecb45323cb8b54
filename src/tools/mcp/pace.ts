import type { Clock } from "../../ports/clock.ts";

/** As often as a server may have news at once: its tools, its prompts, and what a user turns on and off. */
const AT_ONCE = 10;
const FIRST_MS = 1000;
/** Whoever calls it meanwhile waits as long, and one agent can make all wait who share it. */
const LONGEST_MS = 5000;
/** After so long without any, it begins anew. */
const QUIET_MS = 10 * 60_000;

/**
 * How long to wait before an upstream is asked again what has changed. INVARIANT (no flood): each of its news is an entry of the
 * ledger, so one that has others each time is asked ever more seldom.
 */
export class Pace {
  #news = 0;
  #lastMs = Number.NEGATIVE_INFINITY;

  /** It was asked, and had news. */
  hadNews(nowMs: number): void {
    if (nowMs - this.#lastMs > QUIET_MS) this.#news = 0;
    this.#news++;
    this.#lastMs = nowMs;
  }

  waitMs(nowMs: number): number {
    if (this.#news < AT_ONCE) return 0;
    const restMs = Math.min(FIRST_MS * 2 ** (this.#news - AT_ONCE), LONGEST_MS);
    return Math.max(0, this.#lastMs + restMs - nowMs);
  }

  async rest(clock: Clock, signal: AbortSignal): Promise<void> {
    const waitMs = this.waitMs(clock.monotonicMs());
    if (waitMs === 0 || signal.aborted) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const stop = () => resolve();
    signal.addEventListener("abort", stop, { once: true });
    const forget = clock.after(waitMs, stop);
    await promise;
    forget();
    signal.removeEventListener("abort", stop);
  }
}
