import { LIMITS } from "../domain/limits.ts";
import type { Clock } from "../ports/clock.ts";

const WINDOW_MS = 60_000;

/**
 * Wrong tokens, so many a minute. More than that are answered without a look and only counted, so that guessing fills
 * neither the ledger nor the disk; right ones are never held up.
 */
export class WrongTokens {
  readonly #clock: Clock;
  readonly #max: number;
  readonly #tell: (count: number) => void;
  #seen = 0;
  #disarm: (() => void) | null = null;

  /** `tell`: of how many came, beyond those that were told one by one. */
  constructor(clock: Clock, tell: (count: number) => void, max: number = LIMITS.wrongTokens.default) {
    this.#clock = clock;
    this.#tell = tell;
    this.#max = max;
  }

  /** Another one. `told`: it is to be recorded by itself. */
  count(): "told" | "counted" {
    this.#disarm ??= this.#clock.after(WINDOW_MS, () => this.end());
    this.#seen++;
    return this.#seen <= this.#max ? "told" : "counted";
  }

  /** Ends the minute. */
  end(): void {
    this.#disarm?.();
    this.#disarm = null;
    const counted = this.#seen - this.#max;
    this.#seen = 0;
    if (counted > 0) this.#tell(counted);
  }
}
