import { buildArgv } from "../../atip/build-argv.ts";
import type { JsonObject } from "../../domain/json.ts";
import { ArgumentValidationError } from "./errors.ts";
import type { CommandMapping } from "./types.ts";
import { validateToolCall, validationError } from "./validation.ts";

/** The words of a command with these arguments: no shell reads them, and no value is an option. */
export function buildCommandArray(mapping: CommandMapping, given: JsonObject): readonly string[] {
  const { valid, errors, arguments: coerced } = validateToolCall({ arguments: given }, mapping);
  if (!valid) throw new ArgumentValidationError(errors);
  const built = buildArgv(mapping.leaf, coerced);
  if (!built.ok) throw new ArgumentValidationError(built.errors.map(validationError));
  return built.argv;
}
