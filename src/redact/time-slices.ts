/** Long enough to do real work in, short enough that nobody feels it. */
const BUDGET_MS = 2;

/** As much as is searched between two looks at the clock. In the slowest text that we know, it takes about 3 ms. */
export const SLICE_BYTES = 8 * 1024;

/**
 * Divides long work into turns of the event loop, so that other requests are answered in between. All work of one gate shares
 * the slices: however many programs print secrets at once, each turn of the loop is held for one slice.
 */
export class TimeSlices {
  readonly #waiting: (() => void)[] = [];
  readonly #nowMs: () => number;
  #endsAtMs = 0;

  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs;
  }

  /** Resolves when the caller may work on: at once while its slice lasts and nobody else waits. */
  next(): Promise<void> {
    if (this.#waiting.length === 0 && this.#nowMs() < this.#endsAtMs) return Promise.resolve();
    const { promise, resolve } = Promise.withResolvers<void>();
    if (this.#waiting.push(resolve) === 1) setImmediate(() => this.#wakeOne());
    return promise;
  }

  #wakeOne(): void {
    this.#endsAtMs = this.#nowMs() + BUDGET_MS;
    this.#waiting.shift()?.();
    if (this.#waiting.length > 0) setImmediate(() => this.#wakeOne());
  }
}
