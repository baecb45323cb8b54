import type { JsonValue } from "../domain/json.ts";

/** The value with each of its texts changed; the same object where none is. */
export function mapTexts(value: JsonValue, change: (text: string) => string): JsonValue {
  if (typeof value === "string") return change(value);
  if (typeof value !== "object" || value === null) return value;
  const before: [string, JsonValue][] = Object.entries(value);
  const after = before.map(([name, member]): [string, JsonValue] => [name, mapTexts(member, change)]);
  if (after.every(([, member], index) => member === before[index]?.[1])) return value;
  return Array.isArray(value) ? after.map(([, item]) => item) : Object.fromEntries(after);
}
