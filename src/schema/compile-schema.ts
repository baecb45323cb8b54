import type { JsonObject } from "../domain/json.ts";
import { once } from "../domain/once.ts";
import type { InputError } from "../domain/outcome.ts";
import type { InputCheck, InputCoercion } from "../domain/tool.ts";
import { checkFromSchema } from "./check-from-schema.ts";
import { coercionFromSchema } from "./coercion.ts";
import { fieldFromPath } from "./field-from-path.ts";
import { fullCheck } from "./full/full-check.ts";
import { inspectSchema, type PatternRoom } from "./full/inspect-schema.ts";
import { type Check, MISMATCHES_MAX, type Mismatch, NONE } from "./mismatch.ts";
import type { SchemaProblem } from "./schema-problem.ts";
import { sizeProblem } from "./schema-size.ts";
import { type SupportedSchema, unsupportedIn } from "./supported-schema.ts";

export interface CompiledSchema {
  /** Comes first: what it gives back is what is checked, and all that is seen from then on. */
  readonly coerce: InputCoercion;
  readonly check: InputCheck;
}

const NO_ERRORS: readonly InputError[] = Object.freeze([]);

/**
 * A tool's schema, ready for its arguments: our own small checker where that knows all of it, else Ajv.
 * Not Ajv for all, because loading it takes longer than starting Node, and every cold `toolgate` command would pay for it.
 */
export function compileSchema(schema: JsonObject): CompiledSchema | { readonly problem: SchemaProblem } {
  const problem = schemaProblem(schema);
  return problem === null ? compileInspected(schema) : { problem };
}

/**
 * The same for one of many, most of which are never used: whether it is taken is known at once, and the rest is done when it is
 * first used. Nobody else may hold the schema: it would be compiled as they have changed it.
 */
export function compileWhenUsed(
  schema: JsonObject,
  room: PatternRoom,
): CompiledSchema | { readonly problem: SchemaProblem } {
  const problem = schemaProblem(schema, room);
  if (problem !== null) return { problem };
  const compiled = once(() => compileInspected(schema));
  return { coerce: (input) => compiled().coerce(input), check: (input) => compiled().check(input) };
}

function schemaProblem(schema: JsonObject, room?: PatternRoom): SchemaProblem | null {
  const tooLarge = sizeProblem(schema);
  if (tooLarge !== null) return tooLarge;
  return unsupportedIn(schema) === null ? null : inspectSchema(schema, room);
}

function compileInspected(schema: JsonObject): CompiledSchema {
  const small = compileCheck(schema);
  const check = "check" in small ? small.check : fullCheck(schema);
  return { coerce: coercionFromSchema(schema), check: inputCheck(check) };
}

/** The small checker for any value, with paths instead of field names; `unsupported` as `properties.path.pattern`. */
export function compileCheck(schema: JsonObject): { readonly check: Check } | { readonly unsupported: string } {
  const unsupported = unsupportedIn(schema);
  // The cast is what `unsupportedIn` has just found out.
  return unsupported === null ? { check: checkFromSchema(schema as SupportedSchema) } : { unsupported };
}

function inputCheck(check: Check): InputCheck {
  return (input) => {
    const found = check(input);
    return found === NONE ? NO_ERRORS : found.slice(0, MISMATCHES_MAX).map(inputErrorFromMismatch);
  };
}

function inputErrorFromMismatch({ path, rule, says }: Mismatch): InputError {
  const field = fieldFromPath(path);
  return { field, rule, message: `${field === "" ? "the input" : `\`${field}\``} ${says}` };
}
