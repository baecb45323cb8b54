import * as fc from "fast-check";
import type { JsonObject, JsonValue } from "../../src/domain/json.ts";

/**
 * Prototype names that Ajv stands: its equality errs on a member called `constructor` and throws on one called
 * `toString` or `valueOf`. `compile-schema.test.ts` and `same-json.test.ts` have those.
 */
const NAMES = ["a", "b", "path", "hasOwnProperty", "isPrototypeOf", "ключ", ""];
/** Ajv reads over a `__proto__` that a schema names, so only values have one here. */
const VALUE_NAMES = [...NAMES, "__proto__"];

const leaf: fc.Arbitrary<JsonValue> = fc.oneof(
  fc.constantFrom<JsonValue>(null, true, false, 0, 1, -1, 2, 2.5, 1e300, "", "a", "ab", "😀", "😀😀", "\ud800"),
  fc.integer({ min: -3, max: 6 }),
  fc.string({ maxLength: 4, unit: "binary" }),
);

export const someValue: fc.Arbitrary<JsonValue> = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthSize: "small" },
    leaf,
    fc.array(tie("value"), { maxLength: 3 }),
    fc
      .array(fc.tuple(fc.constantFrom(...VALUE_NAMES), tie("value")), { maxLength: 4 })
      // Through entries, so that `__proto__` becomes an own member as it does in `JSON.parse`.
      .map((members): JsonValue => Object.fromEntries(members)),
  ),
})).value;

const TYPES = ["null", "boolean", "number", "integer", "string", "array", "object"] as const;
const bound = fc.constantFrom(-1, 0, 1, 2, 2.5, 3);
const count = fc.integer({ min: 0, max: 3 });

const keyword = <Given>(name: string, given: fc.Arbitrary<Given>) => given.map((value) => [name, value] as const);

/** Few keywords each: a schema that asks for everything is met by nothing. */
export const someSchema: fc.Arbitrary<JsonObject> = fc.letrec<{ schema: JsonObject }>((tie) => ({
  schema: fc
    .array(
      fc.oneof(
        { maxDepth: 3 },
        keyword("type", fc.uniqueArray(fc.constantFrom(...TYPES), { minLength: 1, maxLength: 4 })),
        keyword("type", fc.constantFrom(...TYPES)),
        keyword("required", fc.uniqueArray(fc.constantFrom(...NAMES), { maxLength: 2 })),
        keyword("additionalProperties", fc.boolean()),
        keyword("enum", fc.array(someValue, { minLength: 1, maxLength: 3 })),
        keyword("const", someValue),
        keyword("minimum", bound),
        keyword("maximum", bound),
        keyword("exclusiveMinimum", bound),
        keyword("exclusiveMaximum", bound),
        keyword("minLength", count),
        keyword("maxLength", count),
        keyword("minItems", count),
        keyword("maxItems", count),
        keyword("x-unit", fc.constant("ms")),
        keyword("items", tie("schema")),
        keyword("properties", fc.dictionary(fc.constantFrom(...NAMES), tie("schema"), { maxKeys: 3 })),
      ),
      { maxLength: 4 },
    )
    .map((keywords): JsonObject => Object.fromEntries<JsonValue>(keywords)),
})).schema;
