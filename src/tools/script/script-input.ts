import type { JsonObject, JsonValue } from "../../domain/json.ts";
import { LIMITS } from "../../domain/limits.ts";
import type { InputError } from "../../domain/outcome.ts";
import type { ScriptParameter } from "../../domain/script-tool.ts";
import { inputError } from "../builtin/with-check.ts";

/** Fills in what was left out, before anything looks at the arguments: what is judged is what is run. */
export function withDefaults(input: JsonObject, parameters: readonly ScriptParameter[]): JsonObject {
  const left = parameters.filter(({ name, fallback }) => fallback !== undefined && (input[name] ?? null) === null);
  const nulls = Object.entries(input).filter(([, value]) => value === null);
  if (left.length === 0 && nulls.length === 0) return input;
  // A null is the same as nothing.
  const given = Object.entries(input).filter(([, value]) => value !== null);
  return Object.fromEntries([...given, ...left.map(({ name, fallback }) => [name, fallback as JsonValue])]);
}

/** What no program can be given: bash ends a text at a NUL, and half a character has no bytes. */
export function textErrors(input: JsonObject): readonly InputError[] {
  const errors = Object.entries(input).flatMap(([name, value]) => {
    const odd = oddText(value);
    return odd === null ? [] : [inputError(name, "text", `\`${name}\` ${odd}`)];
  });
  const bytes = JSON.stringify(input).length;
  const max = LIMITS.scriptValuesBytes.default;
  return bytes > max ? [...errors, inputError("", "size", `the arguments have more than ${max} characters`)] : errors;
}

function oddText(value: JsonValue): string | null {
  if (typeof value === "string") {
    if (value.includes("\0")) return "holds a NUL, which no program can be given";
    return value.isWellFormed() ? null : "is not valid Unicode text";
  }
  if (typeof value !== "object" || value === null) return null;
  for (const [key, item] of Object.entries(value)) {
    const odd = (Array.isArray(value) ? null : oddText(key)) ?? oddText(item);
    if (odd !== null) return odd;
  }
  return null;
}
