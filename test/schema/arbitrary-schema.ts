import * as fc from "fast-check";
import type { JsonObject, JsonValue } from "../../src/domain/json.ts";

/** Names that Ajv as it comes stands: its equality errs on a member `constructor` and throws on `toString`. */
export const PLAIN_NAMES = ["a", "b", "path", "ключ", ""];
export const EASY_NAMES = [...PLAIN_NAMES, "hasOwnProperty", "isPrototypeOf"];
export const HARD_NAMES = [...EASY_NAMES, "constructor", "prototype", "toString", "valueOf", "a/b", "~1", "0"];

const leaf: fc.Arbitrary<JsonValue> = fc.oneof(
  fc.constantFrom<JsonValue>(null, true, false, 0, 1, -1, 2, 2.5, 1e300, "", "a", "ab", "😀", "😀😀", "\ud800"),
  fc.integer({ min: -3, max: 6 }),
  fc.string({ maxLength: 4, unit: "binary" }),
);

export const someValue = (names: readonly string[]): fc.Arbitrary<JsonValue> =>
  fc.letrec<{ value: JsonValue }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3, depthSize: "small" },
      leaf,
      fc.array(tie("value"), { maxLength: 3 }),
      fc
        .array(fc.tuple(fc.constantFrom(...names), tie("value")), { maxLength: 4 })
        // Through entries, so that `__proto__` becomes an own member as it does in `JSON.parse`.
        .map((members): JsonValue => Object.fromEntries(members)),
    ),
  })).value;

const TYPES = ["null", "boolean", "number", "integer", "string", "array", "object"] as const;
const bound = fc.constantFrom(-1, 0, 1, 2, 2.5, 3);
const count = fc.integer({ min: 0, max: 3 });

const keyword = <Given>(name: string, given: fc.Arbitrary<Given>) => given.map((value) => [name, value] as const);

/** Few keywords each: a schema that asks for everything is met by nothing. */
export const someSchema = (names: readonly string[]): fc.Arbitrary<JsonObject> =>
  fc.letrec<{ schema: JsonObject }>((tie) => ({
    schema: fc
      .array(
        fc.oneof(
          { maxDepth: 3 },
          keyword("type", fc.uniqueArray(fc.constantFrom(...TYPES), { minLength: 1, maxLength: 4 })),
          keyword("type", fc.constantFrom(...TYPES)),
          keyword("required", fc.uniqueArray(fc.constantFrom(...names), { maxLength: 2 })),
          keyword("additionalProperties", fc.boolean()),
          keyword("enum", fc.array(someValue(names), { minLength: 1, maxLength: 3 })),
          keyword("const", someValue(names)),
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
          keyword("properties", fc.dictionary(fc.constantFrom(...names), tie("schema"), { maxKeys: 3 })),
        ),
        { maxLength: 4 },
      )
      .map((keywords): JsonObject => Object.fromEntries<JsonValue>(keywords)),
  })).schema;

/** With what only users' schemas have. References lead down, so that none leads back to itself. */
export const someFullSchema = (names: readonly string[]): fc.Arbitrary<JsonObject> => {
  const name = fc.constantFrom(...names);
  const { schema } = fc.letrec<{ schema: JsonObject; inner: JsonValue }>((tie) => ({
    inner: fc.oneof({ weight: 8, arbitrary: tie("schema") }, { weight: 1, arbitrary: fc.boolean() }),
    schema: fc
      .tuple(
        someSchema(names),
        fc.array(
          fc.oneof(
            { maxDepth: 2 },
            keyword("pattern", fc.constantFrom("^a", "b$", ".", "^$", "^(a+)+$")),
            keyword("multipleOf", fc.constantFrom(1, 2, 0.5)),
            keyword("uniqueItems", fc.boolean()),
            keyword("minProperties", count),
            keyword("maxProperties", count),
            keyword("dependentRequired", fc.dictionary(name, fc.uniqueArray(name, { maxLength: 2 }), { maxKeys: 2 })),
            keyword("$ref", fc.constantFrom("#/$defs/x", "#/$defs/y~1z")),
            keyword("allOf", fc.array(tie("inner"), { minLength: 1, maxLength: 2 })),
            keyword("anyOf", fc.array(tie("inner"), { minLength: 1, maxLength: 3 })),
            keyword("oneOf", fc.array(tie("inner"), { minLength: 1, maxLength: 3 })),
            keyword("not", tie("inner")),
            keyword("if", tie("inner")),
            keyword("then", tie("inner")),
            keyword("else", tie("inner")),
            keyword("items", tie("inner")),
            keyword("prefixItems", fc.array(tie("inner"), { minLength: 1, maxLength: 2 })),
            keyword("contains", tie("inner")),
            keyword("minContains", count),
            keyword("maxContains", count),
            keyword("propertyNames", tie("inner")),
            keyword("additionalProperties", tie("inner")),
            keyword("patternProperties", fc.dictionary(fc.constantFrom("^a", "b", "^$"), tie("inner"), { maxKeys: 2 })),
            keyword("dependentSchemas", fc.dictionary(name, tie("inner"), { maxKeys: 1 })),
            keyword("unevaluatedProperties", tie("inner")),
            keyword("unevaluatedItems", tie("inner")),
          ),
          { minLength: 1, maxLength: 3 },
        ),
      )
      .map(([small, keywords]): JsonObject => ({ ...small, ...Object.fromEntries<JsonValue>(keywords) })),
  }));
  const $defs = fc.record({ x: someSchema(names), "y/z": someSchema(names) });
  return fc.tuple(schema, $defs).map(([top, defs]): JsonObject => ({ ...top, $defs: defs }));
};
