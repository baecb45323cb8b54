import { LIMITS } from "../domain/limits.ts";

/** How many calls of a batch run at a time. Throws for what is no such number: that is the program's mistake. */
export function checkedConcurrency(given: number = LIMITS.batchConcurrency.default): number {
  const { minimum, maximum } = LIMITS.batchConcurrency;
  if (Number.isInteger(given) && given >= minimum && given <= maximum) return given;
  throw new RangeError(`\`concurrency\` has to be a whole number from ${minimum} to ${maximum}`);
}
