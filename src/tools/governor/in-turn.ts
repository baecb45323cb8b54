import { LIMITS } from "../../domain/limits.ts";
import type { Governor } from "../../ports/governor.ts";
import { errorSays } from "./answer.ts";

/** So many programs of governors at a time; who comes then waits, first come, first served. */
export class GovernorPlaces {
  #free: number = LIMITS.governorPrograms.default;
  readonly #waiting = new Set<() => void>();

  /** False: nobody waits for an answer any longer, and no place was taken. */
  async take(signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return false;
    if (this.#free > 0) {
      this.#free--;
      return true;
    }
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const mine = () => resolve(true);
    const left = () => {
      // A place that is given already is kept: whoever has it gives it back.
      if (this.#waiting.delete(mine)) resolve(false);
    };
    this.#waiting.add(mine);
    signal.addEventListener("abort", left, { once: true });
    return await promise.finally(() => signal.removeEventListener("abort", left));
  }

  leave(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#free++;
      return;
    }
    this.#waiting.delete(next);
    next();
  }
}

/** The same governor, asked when there is a place for its program. Its time begins then. */
export const inTurn = ({ ask, ...governor }: Governor, places: GovernorPlaces): Governor => ({
  ...governor,
  ask: async (question, signal) => {
    if (!(await places.take(signal))) return errorSays("it was not heard to the end", "the call was stopped");
    try {
      return await ask(question, signal);
    } finally {
      places.leave();
    }
  },
});
