import type { ErrorObject } from "ajv";
import type { JsonValue } from "../../domain/json.ts";
import { MISMATCHES_MAX, type Mismatch } from "../mismatch.ts";
import { mismatchFromError } from "./mismatch-from-error.ts";
import { type NestedError, nested } from "./nested-errors.ts";

/** What Ajv found, in the words of our own checker. */
export function mismatchesFromErrors(errors: readonly ErrorObject[], input: JsonValue): readonly Mismatch[] {
  const telling = withoutConsequences(nested(errors)).slice(0, MISMATCHES_MAX);
  return unique(telling.map((error) => mismatchFromError(error, input)));
}

/**
 * A value of the wrong type has one thing wrong with it, and so have its parts. The error of an `if` only says that its
 * `then` or `else` has one.
 */
function withoutConsequences(errors: readonly NestedError[]): readonly NestedError[] {
  const mistyped = new Set(errors.filter(isTypeError).map(({ error }) => error.instancePath));
  return errors.filter((nestedError) => {
    const { keyword, instancePath } = nestedError.error;
    if (keyword === "if" || isBelow(instancePath, mistyped)) return false;
    return isTypeError(nestedError) || !mistyped.has(instancePath);
  });
}

const isTypeError = ({ error }: NestedError): boolean => error.keyword === "type";

function isBelow(pointer: string, mistyped: ReadonlySet<string>): boolean {
  if (mistyped.size === 0) return false;
  for (let end = pointer.lastIndexOf("/"); end >= 0; end = pointer.lastIndexOf("/", end - 1)) {
    if (mistyped.has(pointer.slice(0, end))) return true;
    if (end === 0) break;
  }
  return false;
}

/** Two parts of a schema may ask for the same. */
function unique(found: readonly Mismatch[]): readonly Mismatch[] {
  const byText = new Map(found.map((one) => [JSON.stringify([one.path, one.rule, one.says]), one]));
  return [...byText.values()];
}
