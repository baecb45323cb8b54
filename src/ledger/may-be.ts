import type { JsonValue } from "../domain/json.ts";

/** Where secrets were taken out of a text. */
const MARKER = "[REDACTED";
/** Beyond about a quarter of `entryTextBytes` an entry may hold a part of a text only. */
const WHOLE_MAX = 1024;

/**
 * Whether an entry may tell this of a value: without secrets, cut where it is long, and without what nobody told of at that time.
 * What is in doubt is taken for the same: who is told of harm has to be able to rely on it.
 */
export function mayBe(told: unknown, said: unknown): boolean {
  if (typeof told === "string" && typeof said === "string")
    return told === said.toWellFormed() || said.length > WHOLE_MAX || told.includes(MARKER);
  if (Array.isArray(told) && Array.isArray(said))
    return told.length === said.length && told.every((one, at) => mayBe(one, said[at]));
  if (isMembers(told) && isMembers(said))
    return Object.entries(told).every(([name, value]) => mayBe(value, said[name] ?? null));
  return told === said;
}

const isMembers = (value: unknown): value is Readonly<Record<string, JsonValue>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
