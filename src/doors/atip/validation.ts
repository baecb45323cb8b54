import type { Leaf } from "../../atip/leaf.ts";
import { type LeafCheck, leafCheck } from "../../atip/leaf-check.ts";
import { type OwnInput, ownInputOf } from "../../atip/own-input.ts";
import { isJsonObject } from "../../domain/json.ts";
import type { InputError } from "../../domain/outcome.ts";
import type { CommandMapping, ToolCall, ValidationCode, ValidationError, ValidationResult } from "./types.ts";

const checks = new WeakMap<Leaf, LeafCheck & { readonly own: OwnInput }>();

/** The same checks that a call goes through, without making it. */
export function validateToolCall(
  call: Pick<ToolCall, "arguments" | "problem">,
  { leaf }: CommandMapping,
): ValidationResult {
  const given = isJsonObject(call.arguments) ? call.arguments : {};
  const unreadable = call.problem ?? (isJsonObject(call.arguments) ? null : "the arguments have to be an object");
  if (unreadable !== null)
    return {
      valid: false,
      errors: [{ code: "INVALID_FORMAT", parameter: "", message: unreadable }],
      warnings: [],
      arguments: {},
    };
  const known = checks.get(leaf) ?? { ...leafCheck(leaf), own: ownInputOf(leaf) };
  checks.set(leaf, known);
  const coerced = known.coerce(given);
  const errors = known.check(coerced).map(validationError);
  const warnings = known.own(given).ignored.map((parameter) => ({
    code: "EXTRA_PARAMETER" as const,
    parameter,
    message: `the command has no parameter \`${parameter}\`, so it is left out`,
  }));
  return { valid: errors.length === 0, errors, warnings, arguments: coerced };
}

const CODES: Readonly<Record<string, ValidationCode>> = {
  required: "MISSING_REQUIRED",
  type: "INVALID_TYPE",
  enum: "INVALID_ENUM",
  unknown_field: "UNKNOWN_PARAMETER",
};

/** From the gate's word for what is wrong to the seed's. */
export const validationError = ({ field, rule, message }: InputError): ValidationError => ({
  code: CODES[rule] ?? "INVALID_FORMAT",
  parameter: field,
  message,
});
