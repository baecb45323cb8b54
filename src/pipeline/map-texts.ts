import type { JsonObject, JsonValue } from "../domain/json.ts";

const NONE: ReadonlySet<string> = new Set();

/** The value with each of its texts changed, but those of its own members so named; the same object where none is. */
export function mapTexts(value: JsonValue, change: (text: string) => string, except = NONE): JsonValue {
  if (typeof value === "string") return change(value);
  if (typeof value !== "object" || value === null) return value;
  return Array.isArray(value) ? mapItems(value, change) : mapMembers(value as JsonObject, change, except);
}

function mapItems(items: readonly JsonValue[], change: (text: string) => string): JsonValue {
  let copy: JsonValue[] | null = null;
  for (let at = 0; at < items.length; at++) {
    const before = items[at] as JsonValue;
    const after = mapTexts(before, change);
    if (after === before) continue;
    copy ??= [...items];
    copy[at] = after;
  }
  return copy ?? items;
}

function mapMembers(members: JsonObject, change: (text: string) => string, except: ReadonlySet<string>): JsonValue {
  let copy: Record<string, JsonValue> | null = null;
  for (const name of Object.keys(members)) {
    if (except.has(name)) continue;
    const before = members[name] as JsonValue;
    const after = mapTexts(before, change);
    if (after === before) continue;
    copy ??= { ...members };
    copy[name] = after;
  }
  return copy ?? members;
}
