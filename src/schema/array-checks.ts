import type { JsonValue } from "../domain/json.ts";
import { below, type Check, joined, MISMATCHES_MAX, type Mismatch, mismatch, NONE } from "./mismatch.ts";
import type { SupportedSchema } from "./supported-schema.ts";

/** `minItems`, `maxItems` and `items`. */
export function arrayChecks(schema: SupportedSchema, compile: (schema: SupportedSchema) => Check): readonly Check[] {
  const checks: Check[] = [];
  if (schema.minItems !== undefined) checks.push(minItemsCheck(schema.minItems));
  if (schema.maxItems !== undefined) checks.push(maxItemsCheck(schema.maxItems));
  if (schema.items !== undefined) checks.push(itemsCheck(compile(schema.items)));
  return checks;
}

function minItemsCheck(least: number): Check {
  return (value) => {
    if (!isList(value) || value.length >= least) return NONE;
    return mismatch("min_items", `must have at least ${inItems(least)}, has ${value.length}`);
  };
}

function maxItemsCheck(most: number): Check {
  return (value) => {
    if (!isList(value) || value.length <= most) return NONE;
    return mismatch("max_items", `must have at most ${inItems(most)}, has ${value.length}`);
  };
}

function itemsCheck(check: Check): Check {
  return (value) => {
    let found: readonly Mismatch[] = NONE;
    if (!isList(value)) return found;
    for (let i = 0; i < value.length && found.length < MISMATCHES_MAX; i++) {
      const inItem = check(value[i] as JsonValue);
      if (inItem !== NONE) found = joined(found, below(i, inItem));
    }
    return found;
  };
}

/** `Array.isArray` does not narrow a read-only array. */
const isList = (value: JsonValue): value is readonly JsonValue[] => Array.isArray(value);

const inItems = (count: number): string => (count === 1 ? "1 item" : `${count} items`);
