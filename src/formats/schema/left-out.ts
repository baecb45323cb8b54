import type { JsonObject, JsonValue } from "../../domain/json.ts";

const VALUE_LENGTH_MAX = 200;
/** Keywords that say nothing about a value. */
export const SAYS_NOTHING: ReadonlySet<string> = new Set([
  "$schema",
  "$id",
  "$anchor",
  "$comment",
  "title",
  "readOnly",
  "writeOnly",
  "deprecated",
]);

/**
 * A schema with only some of its keywords. What a provider does not take is told in the description instead: the gate
 * checks it all the same, and a model that knows of it is refused less often.
 */
export function withOnly(schema: JsonObject, kept: (keyword: string, value: JsonValue) => boolean): JsonObject {
  const entries = Object.entries(schema);
  const left = entries.filter(([keyword, value]) => !kept(keyword, value) && !SAYS_NOTHING.has(keyword));
  const rest = Object.fromEntries(entries.filter(([keyword, value]) => kept(keyword, value)));
  return left.length === 0 ? rest : { ...rest, description: told(schema["description"], left) };
}

function told(description: JsonValue | undefined, left: readonly (readonly [string, JsonValue])[]): string {
  const words = left.map(([keyword, value]) => `${keyword}: ${shortened(value)}`).join("; ");
  return typeof description === "string" && description !== "" ? `${description} (${words})` : `(${words})`;
}

function shortened(value: JsonValue): string {
  const text = JSON.stringify(value);
  return text.length > VALUE_LENGTH_MAX ? `${text.slice(0, VALUE_LENGTH_MAX)}…`.toWellFormed() : text;
}
