import { type Check, type MismatchRule, mismatch, NONE } from "./mismatch.ts";
import type { SupportedSchema } from "./supported-schema.ts";

interface Bound {
  readonly rule: MismatchRule;
  readonly words: string;
  readonly holds: (value: number, bound: number) => boolean;
}

type BoundName = "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum";

const BOUNDS: Record<BoundName, Bound> = {
  minimum: { rule: "min_value", words: "at least", holds: (value, bound) => value >= bound },
  maximum: { rule: "max_value", words: "at most", holds: (value, bound) => value <= bound },
  exclusiveMinimum: { rule: "min_value", words: "more than", holds: (value, bound) => value > bound },
  exclusiveMaximum: { rule: "max_value", words: "less than", holds: (value, bound) => value < bound },
};

const BOUND_NAMES = Object.keys(BOUNDS) as BoundName[];

/** `minimum`, `maximum` and their exclusive forms. */
export function numberChecks(schema: SupportedSchema): readonly Check[] {
  return BOUND_NAMES.flatMap((name) => {
    const bound = schema[name];
    return bound === undefined ? [] : [boundCheck(BOUNDS[name], bound)];
  });
}

function boundCheck({ rule, words, holds }: Bound, bound: number): Check {
  return (value) => {
    if (typeof value !== "number" || holds(value, bound)) return NONE;
    return mismatch(rule, `must be ${words} ${bound}, not ${value}`);
  };
}
