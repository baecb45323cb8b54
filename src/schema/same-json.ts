import { isJsonObject, type JsonValue } from "../domain/json.ts";

/** Equality as JSON Schema means it: by value, members in any order. */
export function sameJson(a: JsonValue, b: JsonValue): boolean {
  if (a === b) return true;
  if (Array.isArray(a)) return Array.isArray(b) && sameItems(a, b);
  return isJsonObject(a) && isJsonObject(b) && sameMembers(a, b);
}

const sameItems = (a: readonly JsonValue[], b: readonly JsonValue[]): boolean =>
  a.length === b.length && a.every((item, index) => sameJson(item, b[index] as JsonValue));

function sameMembers(a: Record<string, JsonValue>, b: Record<string, JsonValue>): boolean {
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  return keys.every((key) => Object.hasOwn(b, key) && sameJson(a[key] as JsonValue, b[key] as JsonValue));
}
