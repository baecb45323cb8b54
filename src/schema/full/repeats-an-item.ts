import type { JsonValue } from "../../domain/json.ts";
import { jsonKey } from "../json-set.ts";
import type { Work } from "./work.ts";

const STEPS_PER_ITEM = 3;
const UNITS_PER_STEP = 16;

/** In linear time: items that are equal have equal keys. */
export function repeatsAnItem(items: readonly JsonValue[], work: Work): boolean {
  const seen = new Set<string>();
  for (const item of items) {
    const key = jsonKey(item);
    work.spend(STEPS_PER_ITEM + key.length / UNITS_PER_STEP);
    if (seen.has(key)) return true;
    seen.add(key);
  }
  return false;
}
