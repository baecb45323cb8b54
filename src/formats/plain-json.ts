import type { JsonObject, JsonValue } from "../domain/json.ts";

/** JSON as the providers' packages take it: their types know no read-only lists. */
export type PlainJson = null | boolean | number | string | PlainJson[] | PlainObject;

export interface PlainObject {
  [key: string]: PlainJson;
}

/** A copy, so that nobody who changes it changes the tool. */
function plainJson(value: JsonValue): PlainJson {
  if (typeof value !== "object" || value === null) return value;
  return isList(value) ? value.map(plainJson) : plainObject(value);
}

/** By entries and not by assignment: a member called `__proto__` stays a member. */
export const plainObject = (members: JsonObject): PlainObject =>
  Object.fromEntries(Object.entries(members).map(([name, member]) => [name, plainJson(member)]));

const isList = (value: readonly JsonValue[] | JsonObject): value is readonly JsonValue[] => Array.isArray(value);
