import { isJsonObject, type JsonValue } from "../domain/json.ts";

/**
 * One text per JSON value, so that equality (by value, members in any order) is equality of texts. Not the canonical form
 * of RFC 8785: that one throws for a lone surrogate, and a check must not.
 */
export function jsonKey(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(jsonKey).join(",")}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  const names = Object.keys(value);
  if (names.length > 1) names.sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${jsonKey(value[name] as JsonValue)}`).join(",")}}`;
}

/** Whether a value is one of these, in time that does not depend on their number. */
export function jsonSet(values: readonly JsonValue[]): (value: JsonValue) => boolean {
  const scalars = new Set(values.filter((value) => !isCompound(value)));
  const compounds = new Set(values.filter(isCompound).map(jsonKey));
  return (value) => (isCompound(value) ? compounds.size > 0 && compounds.has(jsonKey(value)) : scalars.has(value));
}

const isCompound = (value: JsonValue): boolean => typeof value === "object" && value !== null;
