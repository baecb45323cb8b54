import { Ajv2020 } from "ajv/dist/2020.js";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isJsonObject, type JsonObject, type JsonValue } from "../../../src/domain/json.ts";
import { STRICT_LIMITS, strictSchema } from "../../../src/formats/schema/strict-schema.ts";

const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: "object",
  properties,
  additionalProperties: false,
  ...more,
});

/** A schema, and a value that is good under it. */
interface Pair {
  readonly schema: JsonObject;
  readonly value: JsonValue;
}

const leafPair: fc.Arbitrary<Pair> = fc.oneof(
  fc.string({ maxLength: 3 }).map((value) => ({ schema: { type: "string", maxLength: 5 }, value })),
  fc.integer({ min: 0, max: 9 }).map((value) => ({ schema: { type: "integer", minimum: 0 }, value })),
  fc.boolean().map((value) => ({ schema: { type: "boolean" }, value })),
  fc.constantFrom("a", "b").map((value) => ({ schema: { enum: ["a", "b"] }, value })),
  fc.constant({ schema: { const: 7, description: "seven" }, value: 7 }),
  fc
    .constantFrom<JsonValue>("x", 1)
    .map((value) => ({ schema: { anyOf: [{ type: "string" }, { type: "number" }] }, value })),
  fc.constant({ schema: { type: ["string", "null"] }, value: null }),
);

const { pair } = fc.letrec<{ pair: Pair; object: Pair }>((tie) => ({
  pair: fc.oneof(
    { maxDepth: 3, depthSize: "small" },
    leafPair,
    tie("object"),
    fc.array(tie("object"), { maxLength: 2 }).map(listOf),
  ),
  object: fc
    .uniqueArray(
      fc.tuple(
        fc.constantFrom("a", "b", "c", "__proto__"),
        tie("pair"),
        fc.constantFrom("required", "given", "absent"),
      ),
      {
        minLength: 1,
        maxLength: 3,
        selector: ([name]) => name,
      },
    )
    .map(objectOf),
}));

function listOf(items: readonly Pair[]): Pair {
  const [first] = items;
  const schema = first?.schema ?? { type: "string" };
  return { schema: { type: "array", items: schema }, value: items.slice(0, 1).map(({ value }) => value) };
}

function objectOf(members: readonly (readonly [string, Pair, string])[]): Pair {
  // An optional member that may be null has no strict form, see below.
  const kept = members.map(([name, part, how]) => [name, part, isNullable(part.schema) ? "required" : how] as const);
  return {
    schema: object(Object.fromEntries(kept.map(([name, { schema }]) => [name, schema])), {
      required: kept.filter(([, , how]) => how === "required").map(([name]) => name),
    }),
    value: Object.fromEntries(kept.filter(([, , how]) => how !== "absent").map(([name, { value }]) => [name, value])),
  };
}

const isNullable = ({ type }: JsonObject): boolean => Array.isArray(type);

/** As a model writes it that has to write every member. */
function written(schema: JsonObject, value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map((item: JsonValue) => written(schema["items"] as JsonObject, item));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(schema["properties"] as JsonObject).map(([name, part]) => [
      name,
      Object.hasOwn(value, name) ? written(part as JsonObject, value[name] as JsonValue) : null,
    ]),
  );
}

describe("the strict form of a schema", () => {
  it("lets the model say everything that is good, and gives it back as it was meant", () => {
    const ajv = new Ajv2020({ strict: false, ownProperties: true });
    void fc.assert(
      fc.property(
        pair.filter(({ schema }) => schema["type"] === "object"),
        ({ schema, value }) => {
          const strict = strictSchema(schema);
          if (strict === null) throw new Error("no strict form");
          const sent = written(schema, value);
          // Ajv reads over a member that is called `__proto__`.
          if (!JSON.stringify(schema).includes("__proto__")) {
            expect(ajv.validate(schema, value)).toBe(true);
            expect(ajv.validate(strict.schema, sent), JSON.stringify([strict.schema, sent])).toBe(true);
          }
          expect(JSON.stringify(sorted(strict.restore?.(sent) ?? sent))).toBe(JSON.stringify(sorted(value)));
        },
      ),
      { numRuns: 500 },
    );
  });

  it("makes every member required, an optional one nullable, and tells the rest in words", () => {
    const strict = strictSchema({
      $schema: "https://json-schema.org/draft/2020-12/schema",
      type: "object",
      title: "T",
      properties: {
        path: { type: "string", minLength: 1, description: "where" },
        mode: { enum: ["r", "w"], default: "r" },
        when: { type: "string", format: "date" },
        link: { type: "string", format: "uri" },
        at: object({ line: { type: "integer", minimum: 1 } }, { description: "place" }),
        tags: { type: "array", items: { type: "string" }, uniqueItems: true, maxItems: 3 },
        either: { anyOf: [{ type: "string" }, { type: "integer" }] },
      },
      required: ["path"],
    });
    expect(strict?.schema).toEqual({
      type: "object",
      properties: {
        path: { type: "string", description: "where (minLength: 1)" },
        mode: { type: ["string", "null"], enum: ["r", "w", null], description: '(default: "r")' },
        when: { type: ["string", "null"], format: "date" },
        link: { type: ["string", "null"], description: '(format: "uri")' },
        at: {
          description: "place",
          anyOf: [
            {
              type: "object",
              properties: { line: { type: ["integer", "null"], minimum: 1 } },
              required: ["line"],
              additionalProperties: false,
            },
            { type: "null" },
          ],
        },
        tags: { type: ["array", "null"], items: { type: "string" }, maxItems: 3, description: "(uniqueItems: true)" },
        either: { anyOf: [{ type: "string" }, { type: "integer" }, { type: "null" }] },
      },
      required: ["path", "mode", "when", "link", "at", "tags", "either"],
      additionalProperties: false,
    });
    expect(strict?.restore?.({ path: "a", mode: null, at: { line: null }, tags: [], odd: null })).toEqual({
      path: "a",
      at: {},
      tags: [],
      odd: null,
    });
  });

  it("changes nothing where there is nothing to change", () => {
    expect(strictSchema(object({ a: { type: "string" } }, { required: ["a"] }))?.restore).toBe(null);
    expect(strictSchema(object({}))?.schema).toEqual({
      type: "object",
      properties: {},
      required: [],
      additionalProperties: false,
    });
    const restore = strictSchema(
      object({ a: { type: "string" }, b: { type: "array", items: object({ c: { type: "string" } }) } }),
    )?.restore;
    for (const value of ["text", null, [], 7]) expect(restore?.(value)).toEqual(value);
    expect(restore?.({ b: "no list" })).toEqual({ b: "no list" });
  });

  const deep = (levels: number): JsonObject =>
    levels === 0 ? { type: "string" } : object({ a: deep(levels - 1) }, { required: ["a"] });
  const wide = (count: number): JsonObject =>
    object(Object.fromEntries(Array.from({ length: count }, (_, n) => [`p${n}`, { type: "string" }])));
  const values = (count: number): JsonObject =>
    object({ a: { enum: Array.from({ length: count }, (_, n) => `v${n}`) } });
  const longValues = (count: number, length: number) =>
    object({ a: { enum: Array.from({ length: count }, (_, n) => `v${n}`.padEnd(length, "x")) } });
  const long = (length: number): JsonObject => object({ a: { type: "string", description: "x".repeat(length) } });

  it.each<[string, JsonObject, boolean]>([
    ["no object", { type: "string" }, false],
    ["a list of types at the root", { type: ["object"] }, false],
    ["an open object that names its members", { type: "object", properties: { a: { type: "string" } } }, true],
    ["an open object that names none", { type: "object" }, false],
    ["a map", object({ a: { type: "object", additionalProperties: { type: "string" } } }), false],
    ["one that says it is open", { ...object({ a: { type: "string" } }), additionalProperties: true }, false],
    ["a required member that is not named", object({ a: { type: "string" } }, { required: ["b"] }), false],
    ["an optional one that may be null", object({ a: { type: ["string", "null"] } }), false],
    ["a required one that may be null", object({ a: { type: ["string", "null"] } }, { required: ["a"] }), true],
    ["an optional enum with null", object({ a: { enum: ["a", null] } }), false],
    ["an optional const null", object({ a: { const: null } }), false],
    ["an optional choice with null", object({ a: { anyOf: [{ type: "string" }, { type: "null" }] } }), false],
    ["anything", object({ a: {} }, { required: ["a"] }), false],
    ["a boolean schema", object({ a: true }, { required: ["a"] }), false],
    ["an optional boolean schema", object({ a: true }), false],
    ["values of several types", object({ a: { enum: ["a", 1] } }), false],
    ["a value that is an object", object({ a: { const: { b: 1 } } }), false],
    ["an array of anything", object({ a: { type: "array" } }), false],
    ["a tuple", object({ a: { type: "array", items: [{ type: "string" }] } }), false],
    ["a list or a text", object({ a: { type: ["array", "string"], items: { type: "string" } } }), false],
    ["an object or null", object({ a: { type: ["object", "null"], properties: {} } }, { required: ["a"] }), false],
    ["a choice with something beside it", object({ a: { anyOf: [{ type: "string" }], maxLength: 1 } }), false],
    ["an empty choice", object({ a: { anyOf: [] } }, { required: ["a"] }), false],
    ["a choice with optional members", object({ a: { anyOf: [object({ b: { type: "string" } })] } }), false],
    ["anyOf at the root", object({ a: { type: "string" } }, { anyOf: [{ required: ["a"] }] }), false],
    ["allOf", object({ a: { type: "string", allOf: [] } }), false],
    ["not", object({ a: { type: "string", not: {} } }), false],
    ["if", object({ a: { type: "string", if: {} } }), false],
    ["a reference", object({ a: { $ref: "#/$defs/x" } }, { $defs: { x: {} } }), false],
    ["patternProperties", object({}, { patternProperties: { a: {} } }), false],
    ["a keyword of nobody", object({ a: { type: "string", "x-unit": "ms" } }), false],
    ["ten levels", deep(9), true],
    ["eleven levels", deep(10), false],
    ["5,000 members", wide(STRICT_LIMITS.properties), false], // 5,000 fit, their characters don't
    ["1,000 members", wide(1000), true],
    ["5,001 members", wide(STRICT_LIMITS.properties + 1), false],
    ["1,000 values", values(STRICT_LIMITS.enumValues), true],
    ["1,001 values", values(STRICT_LIMITS.enumValues + 1), false],
    ["250 long values", longValues(250, 100), true],
    ["251 values of 15,000 characters and a few", longValues(251, 60), false],
    ["251 values of fewer", longValues(251, 59), true],
    ["119,000 characters", long(119_000), true],
    ["120,000 characters", long(120_000), false],
  ])("%s: %#", (_, schema, isThere) => {
    expect(strictSchema(schema) !== null).toBe(isThere);
  });
});

/** One order of members for all. */
function sorted(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, member]) => [name, sorted(member)]),
  );
}

it("says each value of a list once", () => {
  const schema = { type: "object", properties: { a: { enum: ["x", "y", "x"] } }, required: ["a"] };
  expect(strictSchema(schema)?.schema.properties["a"]).toEqual({ type: "string", enum: ["x", "y"] });
});
