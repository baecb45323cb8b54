import type { JsonObject } from "../domain/json.ts";
import type { InputError } from "../domain/outcome.ts";
import type { InputCheck } from "../domain/tool.ts";
import { checkFromSchema } from "./check-from-schema.ts";
import { fieldFromPath } from "./field-from-path.ts";
import { type Check, MISMATCHES_MAX, type Mismatch, NONE } from "./mismatch.ts";
import { type SupportedSchema, unsupportedIn } from "./supported-schema.ts";

interface Unsupported {
  /** The first keyword that this engine does not know, as `properties.path.pattern`. */
  readonly unsupported: string;
}

const NO_ERRORS: readonly InputError[] = Object.freeze([]);

/**
 * A check of a tool's arguments, built once and fast.
 * Our own and not Ajv, because importing Ajv takes longer than starting Node, and every cold `toolgate` command would
 * pay for it. `test/schema/compile-schema.test.ts` holds it against Ajv.
 */
export function compileSchema(schema: JsonObject): { readonly check: InputCheck } | Unsupported {
  const compiled = compileCheck(schema);
  if ("unsupported" in compiled) return compiled;
  const { check } = compiled;
  return {
    check: (input) => {
      const found = check(input);
      return found === NONE ? NO_ERRORS : found.slice(0, MISMATCHES_MAX).map(inputErrorFromMismatch);
    },
  };
}

/** The same for any value, with paths instead of field names. */
export function compileCheck(schema: JsonObject): { readonly check: Check } | Unsupported {
  const unsupported = unsupportedIn(schema);
  // The cast is what `unsupportedIn` has just found out.
  return unsupported === null ? { check: checkFromSchema(schema as SupportedSchema) } : { unsupported };
}

function inputErrorFromMismatch({ path, rule, says }: Mismatch): InputError {
  const field = fieldFromPath(path);
  return { field, rule, message: `${field === "" ? "the input" : `\`${field}\``} ${says}` };
}
