import { isJsonObject, type JsonObject, type JsonValue } from "../../domain/json.ts";
import { once } from "../../domain/once.ts";
import type { InputError } from "../../domain/outcome.ts";
import { compileSchema } from "../../schema/compile-schema.ts";
import type { FromSchema } from "../wire/from-schema.ts";
import type { A2aError } from "./a2a-error.ts";

export type Checked<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly error: A2aError };

/** Checks by a schema, all that is wrong at once. What the schema does not name is left alone, unless it says otherwise. */
export function checker<const Schema extends JsonObject>(schema: Schema) {
  const compiled = once(() => {
    const made = compileSchema(schema);
    if ("problem" in made) throw new TypeError(`a schema of this door is none: ${JSON.stringify(made.problem)}`);
    return made;
  });
  return (value: JsonValue, where = ""): Checked<FromSchema<Schema>> => {
    if (!isJsonObject(value)) {
      return invalid([{ field: where, rule: "type", message: `\`${where || "params"}\` has to be an object` }]);
    }
    const { coerce, check } = compiled();
    const coerced = coerce(value);
    const errors = check(coerced);
    return errors.length === 0
      ? { ok: true, value: coerced as FromSchema<Schema> }
      : invalid(errors.map((error) => ({ ...error, field: within(where, error.field) })));
  };
}

export const invalid = (errors: readonly InputError[]): { readonly ok: false; readonly error: A2aError } => ({
  ok: false,
  error: { reason: "INVALID_PARAMS", message: errors[0]?.message ?? "the parameters are not understood", errors },
});

const within = (where: string, field: string): string => [where, field].filter((part) => part !== "").join(".");
