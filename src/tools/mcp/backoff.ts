import { LIMITS } from "../../domain/limits.ts";
import { fault, type UpstreamFault } from "./upstream-fault.ts";

const FIRST_MS = 250;

/** An upstream that failed is left alone for a while, twice as long each time. */
export class Backoff {
  #failures = 0;
  #notBeforeMs = 0;
  #last: UpstreamFault | null = null;

  get failures(): number {
    return this.#failures;
  }

  /** What was wrong last; null = nothing, or it is over. */
  get last(): UpstreamFault | null {
    return this.#last;
  }

  /** Something is wrong that keeps nobody from trying. */
  noted(reason: UpstreamFault): void {
    this.#last = reason;
  }

  failed(reason: UpstreamFault, nowMs: number): void {
    this.#last = reason;
    this.#failures++;
    this.#notBeforeMs = nowMs + Math.min(FIRST_MS * 2 ** (this.#failures - 1), LIMITS.upstreamRestMs.default);
  }

  /** It has answered: whatever was wrong is over. */
  over(): void {
    this.#failures = 0;
    this.#notBeforeMs = 0;
    this.#last = null;
  }

  /** Why it is not tried now; null = it is. */
  whyNot(nowMs: number): UpstreamFault | null {
    const waitMs = this.#notBeforeMs - nowMs;
    if (waitMs <= 0) return null;
    const seconds = Math.max(1, Math.ceil(waitMs / 1000));
    const times = this.#failures === 1 ? "once" : `${this.#failures} times in a row`;
    const why = `it failed ${times} (${this.#last?.message ?? "no reason"}), and is tried again in ${seconds} s`;
    return { ...fault("CIRCUIT_OPEN", why), retryAfterMs: waitMs };
  }
}
