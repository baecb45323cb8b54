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
  const path: (string | number)[] = [];
  try {
    return { input: objectCopy(rawInput, path) };
  } catch (error) {
    if (!(error instanceof NotJson)) throw error;
    const field = fieldFromPath(path.length > DEPTH_MAX ? [] : path);
    const message = `${field === "" ? "the input" : `\`${field}\``} ${error.message}`;
    return { error: { field, rule: "json", message } };
  }
}

class NotJson extends Error {}

function copyOf(value: unknown, path: (string | number)[]): JsonValue {
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
      if (path.length > DEPTH_MAX) throw new NotJson(`is nested more than ${DEPTH_MAX} deep`);
      return Array.isArray(value) ? arrayCopy(value, path) : objectCopy(value as JsonObject, path);
    default:
      throw new NotJson(`is of the type ${typeof value}, which JSON does not have`);
  }
}

function objectCopy(members: Readonly<Record<string, unknown>>, path: (string | number)[]): JsonObject {
  const copy: Record<string, JsonValue> = {};
  for (const name of Object.keys(members)) {
    const member = members[name];
    if (member === undefined) continue; // absent, as in `JSON.stringify`
    path.push(name);
    const value = copyOf(member, path);
    wellFormed(name);
    // Assigned, it would become the prototype instead of a member.
    if (name === "__proto__") Object.defineProperty(copy, name, { value, enumerable: true });
    else copy[name] = value;
    path.pop();
  }
  return Object.freeze(copy);
}

function arrayCopy(items: readonly unknown[], path: (string | number)[]): readonly JsonValue[] {
  const copy: JsonValue[] = [];
  for (let index = 0; index < items.length; index++) {
    path.push(index);
    copy.push(copyOf(items[index], path));
    path.pop();
  }
  return Object.freeze(copy);
}

/** A lone surrogate has no UTF-8 form, so neither a file nor a digest could hold it. */
function wellFormed(text: string): string {
  if (!text.isWellFormed()) throw new NotJson("is not well-formed Unicode text");
  return text;
}
