import type { JsonObject, JsonValue } from "../domain/json.ts";
import { LIMITS } from "../domain/limits.ts";
import type { InputError } from "../domain/outcome.ts";
import { fieldFromPath } from "../schema/field-from-path.ts";

/** The same as for JSON text; here it is also where a circle is given up. */
const DEPTH_MAX = LIMITS.jsonDepth.default;

/**
 * The arguments as the gate keeps them: a frozen copy.
 * INVARIANT (judged = run): what a caller, or a tool in this process, later changes in its own object changes nothing here.
 */
export function ownInput(rawInput: JsonObject): { readonly input: JsonObject } | { readonly error: InputError } {
  try {
    return { input: objectCopy(rawInput, 0) };
  } catch (error) {
    if (!(error instanceof NotJson)) throw error;
    const field = fieldFromPath(error.path.length > DEPTH_MAX ? [] : error.path.toReversed());
    const message = `${field === "" ? "the input" : `\`${field}\``} ${error.message}`;
    return { error: { field, rule: "json", message } };
  }
}

class NotJson extends Error {
  /** Where it stands, from the inside out: nobody keeps a path while nothing is wrong. */
  readonly path: (string | number)[] = [];
}

function copyOf(value: unknown, depth: number): JsonValue {
  switch (typeof value) {
    case "string":
      return wellFormed(value);
    case "number":
      if (!Number.isFinite(value)) throw new NotJson("is a number that JSON can't hold");
      return value;
    case "boolean":
      return value;
    case "object":
      if (value === null) return null;
      if (depth > DEPTH_MAX) throw new NotJson(`is nested more than ${DEPTH_MAX} deep`);
      return Array.isArray(value) ? arrayCopy(value, depth) : objectCopy(value as JsonObject, depth);
    default:
      throw new NotJson(`is of the type ${typeof value}, which JSON does not have`);
  }
}

function objectCopy(members: Readonly<Record<string, unknown>>, depth: number): JsonObject {
  const copy: Record<string, JsonValue> = {};
  for (const name of Object.keys(members)) {
    const member = members[name];
    if (member === undefined) continue; // absent, as in `JSON.stringify`
    const value = memberCopy(member, name, depth + 1);
    // Assigned, it would become the prototype instead of a member.
    if (name === "__proto__") Object.defineProperty(copy, name, { value, enumerable: true });
    else copy[name] = value;
  }
  return Object.freeze(copy);
}

function arrayCopy(items: readonly unknown[], depth: number): readonly JsonValue[] {
  const copy: JsonValue[] = [];
  for (let index = 0; index < items.length; index++) copy.push(memberCopy(items[index], index, depth + 1));
  return Object.freeze(copy);
}

function memberCopy(member: unknown, place: string | number, depth: number): JsonValue {
  try {
    const copy = copyOf(member, depth);
    if (typeof place === "string") wellFormed(place);
    return copy;
  } catch (error) {
    if (error instanceof NotJson) error.path.push(place);
    throw error;
  }
}

/** A lone surrogate has no UTF-8 form, so neither a file nor a digest could hold it. */
function wellFormed(text: string): string {
  if (!text.isWellFormed()) throw new NotJson("is not well-formed Unicode text");
  return text;
}
