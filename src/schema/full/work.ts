import { LIMITS } from "../../domain/limits.ts";

/** What a check may cost, in steps of roughly a tenth of a microsecond: counted, not timed, so that a verdict is repeatable. */
export class Work {
  #left = 0;

  begin(): void {
    this.#left = LIMITS.checkSteps.default;
  }

  spend(steps: number): void {
    this.#left -= steps;
    if (this.#left < 0) throw new TooMuchWork();
  }
}

/** Thrown through Ajv's generated code, which has no other way to stop; caught where the check was started. */
export class TooMuchWork extends Error {}
