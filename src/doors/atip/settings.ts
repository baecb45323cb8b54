import { LIMITS } from "../../domain/limits.ts";
import { AtipExecuteError } from "./errors.ts";
import type { ExecutionOptions } from "./types.ts";

export interface Limits {
  readonly timeout: number;
  readonly maxOutputSize: number;
}

/** What is over the maximum is a mistake, and not made smaller in silence. */
export function limitsOf({ timeout, maxOutputSize }: Pick<ExecutionOptions, "timeout" | "maxOutputSize">): Limits {
  return {
    timeout: within("timeout", timeout, LIMITS.atipTimeoutMs),
    maxOutputSize: within("maxOutputSize", maxOutputSize, LIMITS.atipOutputBytes),
  };
}

interface Range {
  readonly default: number;
  readonly minimum: number;
  readonly maximum: number;
}

function within(name: string, given: number | undefined, { default: usual, minimum, maximum }: Range): number {
  if (given === undefined) return usual;
  if (Number.isInteger(given) && given >= minimum && given <= maximum) return given;
  throw new AtipExecuteError("INVALID_OPTION", `\`${name}\` has to be a whole number from ${minimum} to ${maximum}`);
}
