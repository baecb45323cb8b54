import { describe, expect, it } from "vitest";
import type { JsonObject, JsonValue } from "../../../src/domain/json.ts";
import type { InputError } from "../../../src/domain/outcome.ts";
import { compileSchema } from "../../../src/schema/compile-schema.ts";
import { compileWithAjv } from "../../../src/schema/full/compile-with-ajv.ts";

function errorsOf(schema: JsonObject, input: JsonValue): readonly InputError[] {
  const compiled = compileSchema(schema);
  if ("problem" in compiled) throw new Error(compiled.problem.message);
  return compiled.check(input as JsonObject);
}

const parsed = (text: string): JsonObject => JSON.parse(text) as JsonObject;
const fieldsOf = (errors: readonly InputError[]): readonly string[] =>
  errors.map(({ field, rule }) => `${field} ${rule}`);

describe("what only users' schemas ask for", () => {
  it.each<[what: string, JsonObject, good: JsonValue, bad: JsonValue, field: string, rule: string, message: string]>([
    ["pattern", { pattern: "^a" }, "ab", "b", "x", "pattern", "`x` must match the pattern `^a`"],
    ["format", { format: "ipv4" }, "1.2.3.4", "1.2.3", "x", "format", "`x` must have the format `ipv4`"],
    ["multipleOf", { multipleOf: 5 }, 10, 7, "x", "multiple_of", "`x` must be a multiple of 5, not 7"],
    ["cents", { multipleOf: 0.01 }, 19.99, 1.005, "x", "multiple_of", "`x` must be a multiple of 0.01, not 1.005"],
    [
      "uniqueItems",
      { uniqueItems: true },
      [1, "1"],
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
      "x",
      "unique_items",
      "`x` must not have the same item twice",
    ],
    [
      "no uniqueItems",
      { uniqueItems: false, pattern: "a" },
      [1, 1],
      "b",
      "x",
      "pattern",
      "`x` must match the pattern `a`",
    ],
    [
      "contains",
      { contains: { const: 1 } },
      [0, 1],
      [0],
      "x",
      "contains",
      "`x` must contain at least 1 of the items that the schema asks for",
    ],
    [
      "maxContains",
      { contains: { const: 1 }, maxContains: 1 },
      [1],
      [1, 1],
      "x",
      "contains",
      "`x` must contain at least 1 and at most 1 of the items that the schema asks for",
    ],
    ["minProperties", { minProperties: 1 }, { a: 1 }, {}, "x", "min_fields", "`x` must have at least 1 field, has 0"],
    [
      "maxProperties",
      { maxProperties: 2 },
      {},
      { a: 1, b: 2, c: 3 },
      "x",
      "max_fields",
      "`x` must have at most 2 fields, has 3",
    ],
    [
      "propertyNames",
      { propertyNames: { maxLength: 1 } },
      { a: 1 },
      { ab: 1 },
      "x.ab",
      "field_name",
      "`x.ab` is a name that is not allowed: must have at most 1 character, has 2",
    ],
    [
      "patternProperties",
      { patternProperties: { "^n": { type: "number" } } },
      { n: 1, m: "" },
      { na: "" },
      "x.na",
      "type",
      "`x.na` must be a number, not a string",
    ],
    [
      "additionalProperties",
      { properties: { a: {} }, additionalProperties: { type: "null" } },
      { a: 1, b: null },
      { b: 1 },
      "x.b",
      "type",
      "`x.b` must be null, not a number",
    ],
    [
      "dependentRequired",
      { dependentRequired: { a: ["b"] } },
      { b: 1 },
      { a: 1 },
      "x.b",
      "required",
      "`x.b` is missing, and `a` needs it",
    ],
    [
      "dependentSchemas",
      { dependentSchemas: { a: { required: ["b"] } } },
      { a: 1, b: 1 },
      { a: 1 },
      "x.b",
      "required",
      "`x.b` is missing",
    ],
    [
      "prefixItems",
      { prefixItems: [{ type: "string" }], items: { type: "number" } },
      ["a", 1],
      [1],
      "x[0]",
      "type",
      "`x[0]` must be a string, not a number",
    ],
    [
      "no more items",
      { prefixItems: [{}], items: false },
      [1],
      [1, 2],
      "x",
      "max_items",
      "`x` must have at most 1 item, has 2",
    ],
    [
      "unevaluatedItems",
      { prefixItems: [{}], unevaluatedItems: false },
      [1],
      [1, 2],
      "x",
      "max_items",
      "`x` must have at most 1 item, has 2",
    ],
    [
      "unevaluatedProperties",
      { properties: { abc: {} }, unevaluatedProperties: false },
      { abc: 1 },
      { abd: 1 },
      "x.abd",
      "unknown_field",
      "`x.abd` is not a known field, the nearest is `abc`",
    ],
    ["no field", { properties: { a: false } }, {}, { a: 1 }, "x.a", "forbidden", "`x.a` is not allowed here"],
    ["not", { not: { const: 1 } }, 2, 1, "x", "not", "`x` has a form that is ruled out"],
    [
      "anyOf, types",
      { anyOf: [{ type: "integer" }, { type: "null" }] },
      null,
      "1",
      "x",
      "type",
      "`x` must be an integer or null, not a string",
    ],
    [
      "anyOf",
      { anyOf: [{ const: 1 }, { properties: { a: { const: 2 } }, type: "object" }] },
      { a: 2 },
      { a: 1 },
      "x",
      "any_of",
      "`x` has none of the forms that it may have: must be `1`; `x.a` must be `2`",
    ],
    [
      "oneOf, none",
      { oneOf: [{ minimum: 5 }, { maximum: 1 }] },
      7,
      3,
      "x",
      "one_of",
      "`x` has none of the forms that it may have: must be at least 5, not 3; must be at most 1, not 3",
    ],
    [
      "oneOf, two",
      { oneOf: [{ minimum: 5 }, { minimum: 6 }] },
      5,
      6,
      "x",
      "one_of",
      "`x` has several of the forms of which it may have one",
    ],
    ["allOf", { allOf: [{ minimum: 1 }, { maximum: 3 }] }, 2, 4, "x", "max_value", "`x` must be at most 3, not 4"],
    [
      "if",
      parsed('{"if": {"const": 1}, "then": false, "else": {"minimum": 5}}'),
      5,
      4,
      "x",
      "min_value",
      "`x` must be at least 5, not 4",
    ],
    ["then", parsed('{"if": {"const": 1}, "then": false}'), 2, 1, "x", "forbidden", "`x` is not allowed here"],
  ])("%s", (_, schema, good, bad, field, rule, message) => {
    expect(errorsOf({ properties: { x: schema } }, { x: good })).toEqual([]);
    expect(errorsOf({ properties: { x: schema } }, { x: bad })).toEqual([{ field, rule, message }]);
  });

  it("tells at most five of what a choice asks for", () => {
    const anyOf = Array.from({ length: 7 }, (_, i) => ({ const: i }));
    expect(errorsOf({ properties: { x: { anyOf } } }, { x: "" })[0]?.message).toMatch(/`0`; .*`4`; …$/);
  });

  it("tells of a choice inside a choice", () => {
    const inner = { anyOf: [{ minimum: 5 }, { minimum: 6 }] };
    const [error, ...more] = errorsOf({ properties: { x: { anyOf: [inner, { const: 0 }] } } }, { x: 1 });
    expect(more).toEqual([]);
    expect(error?.message).toMatch(/may have: has none of the forms that it may have: must be at least 5/);
  });

  it("says the same thing once, and no consequences of a wrong type", () => {
    const string = { type: "string", enum: ["a"] };
    const schema = { properties: { x: { allOf: [string, string], properties: { y: false } } } };
    expect(fieldsOf(errorsOf(schema, { x: { y: 1 } }))).toEqual(["x type"]);
  });

  it("names each bad name on its own", () => {
    const schema = { propertyNames: { pattern: "^a", maxLength: 2 } };
    expect(fieldsOf(errorsOf(schema, { abc: 1, b: 1, aa: 1, bcd: 1 }))).toEqual([
      "abc field_name",
      "b field_name",
      "bcd field_name",
    ]);
  });

  it("stops at a hundred errors", () =>
    expect(
      errorsOf(
        { additionalProperties: { pattern: "a" } },
        Object.fromEntries(Array.from({ length: 200 }, (_, i) => [i, "b"])),
      ),
    ).toHaveLength(100));
});

describe("references", () => {
  const tree = {
    $id: "https://example.com/tree",
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $ref: "#/$defs/node",
    $defs: {
      node: {
        type: "object",
        properties: { "a/b": { $ref: "#/definitions/count~1er" }, next: { $ref: "#/$defs/node" }, all: { $ref: "#" } },
      },
    },
    definitions: { "count/er": { type: "integer" }, never: false },
  } as const;

  it("follows them, also to themselves", () => {
    expect(errorsOf(tree, { next: { next: { all: { "a/b": 1 } } } })).toEqual([]);
    expect(fieldsOf(errorsOf(tree, { next: { next: { all: { "a/b": "1" } } } }))).toEqual(["next.next.all.a/b type"]);
  });

  it("follows them to `false`", () =>
    expect(fieldsOf(errorsOf({ ...tree, $ref: "#/definitions/never" }, {}))).toEqual([" forbidden"]));

  it("knows a choice through them", () => {
    const schema = {
      properties: { x: { anyOf: [{ $ref: "#/$defs/a" }, { type: "null" }] } },
      $defs: { a: { type: "integer" } },
    };
    expect(errorsOf(schema, { x: true })).toEqual([
      { field: "x", rule: "type", message: "`x` must be an integer or null, not a boolean" },
    ]);
  });
});

describe("names that every object inherits", () => {
  it("are not taken for members of the input", () => {
    expect(fieldsOf(errorsOf({ required: ["toString"], pattern: "a" }, {}))).toEqual(["toString required"]);
    expect(fieldsOf(errorsOf({ dependentRequired: { valueOf: ["a"] } }, {}))).toEqual([]);
    expect(errorsOf({ properties: { constructor: { pattern: "a" } } } as unknown as JsonObject, {})).toEqual([]);
  });

  it("are unknown fields like any other", () => {
    const schema = { patternProperties: { "^a": {} }, additionalProperties: false };
    const input = parsed('{"a": 1, "toString": 1, "__proto__": 1, "constructor": 1}');
    expect(fieldsOf(errorsOf(schema, input))).toEqual([
      "toString unknown_field",
      "__proto__ unknown_field",
      "constructor unknown_field",
    ]);
  });

  it("never count as evaluated", () => {
    const schema = { anyOf: [{ properties: { a: { const: 1 } }, required: ["a"] }, {}], unevaluatedProperties: false };
    expect(errorsOf(schema, { a: 1 })).toEqual([]);
    expect(fieldsOf(errorsOf(schema, parsed('{"a": 1, "toString": 1}')))).toEqual(["toString unknown_field"]);
    expect(
      fieldsOf(errorsOf({ properties: { x: { items: schema } } }, parsed('{"x": [null, {"a": 1, "__proto__": 1}]}'))),
    ).toEqual(["x[1].__proto__ unknown_field"]);
  });

  it("do not make an equality throw", () => {
    for (const given of [{ const: {} }, { enum: [{}] }, { contains: { const: {} } }]) {
      expect(
        fieldsOf(errorsOf({ properties: { x: { ...given, pattern: "a" } } }, { x: [parsed('{"toString": ""}')] })),
      ).toHaveLength(1);
    }
    const twice = parsed('{"x": [{"toString": ""}, {"valueOf": ""}, {"toString": ""}]}');
    expect(fieldsOf(errorsOf({ properties: { x: { uniqueItems: true } } }, twice))).toEqual(["x unique_items"]);
  });
});

describe("the check itself", () => {
  it("keeps two patterns of one schema apart", () => {
    const schema = {
      properties: { a: { pattern: "^a$" }, b: { pattern: "^b$" } },
      patternProperties: { "^c": false, "^d": {} },
    };
    expect(errorsOf(schema, { a: "a", b: "b", d: 1 })).toEqual([]);
    expect(fieldsOf(errorsOf(schema, { a: "b", b: "a", c: 1 }))).toEqual(["a pattern", "b pattern", "c forbidden"]);
  });

  it("is not changed by what happens to the schema later", () => {
    const schema: { properties: Record<string, JsonObject> } = { properties: { x: { pattern: "^a" } } };
    const compiled = compileSchema(schema);
    if ("problem" in compiled) throw new Error(compiled.problem.message);
    schema.properties["x"] = {};
    expect(fieldsOf(compiled.check({ x: "b" }))).toEqual(["x pattern"]);
  });

  it("is a no when it goes wrong", () => {
    const schema = { properties: { x: { pattern: "^a" } } };
    const input = {
      get x(): string {
        throw new Error("from a getter");
      },
    };
    expect(errorsOf(schema, input)).toEqual([
      { field: "", rule: "fault", message: "the input can't be checked against the tool's schema" },
    ]);
  });

  it("has no pattern that was not inspected", () =>
    expect(() => compileWithAjv({ pattern: "(?=a)" })).toThrow("the pattern `(?=a)` uses a lookahead"));

  it("is forgotten when many others came after it, and works again", () => {
    for (let i = 0; i < 300; i++) {
      expect(fieldsOf(errorsOf({ properties: { x: { pattern: `^${i % 290}$` } } }, { x: "no" }))).toEqual([
        "x pattern",
      ]);
    }
  });
});

describe("a name without a character", () => {
  const WANTED: JsonObject = { required: [""] };

  it.each<[where: string, JsonObject, good: JsonValue, bad: JsonValue]>([
    ["in `not`", { not: WANTED }, {}, { "": 1 }],
    ["in `not`, after another", { not: { required: ["a", ""] } }, { a: 1 }, { a: 1, "": 1 }],
    ["in `if`, for `then`", parsed('{ "if": { "required": [""] }, "then": { "required": ["a"] } }'), {}, { "": 1 }],
    ["in `if`, for `else`", { if: WANTED, else: { required: ["a"] } }, { "": 1 }, {}],
    ["in `contains`", { contains: WANTED }, [{ "": 1 }], [{}]],
    ["in one of several", { anyOf: [WANTED, { required: ["a"] }] }, { "": 1 }, { b: 1 }],
    ["referred to", { not: { $ref: "#/$defs/x" }, $defs: { x: WANTED } }, {}, { "": 1 }],
    ["wanted beside another", { not: { dependentRequired: { a: [""] } } }, { a: 1 }, { a: 1, "": 1 }],
    ["that wants another", { not: { dependentRequired: { "": ["a"] } } }, { "": 1 }, { "": 1, a: 1 }],
  ])("is missing where it is: %s", (_, schema, good, bad) => {
    expect([errorsOf(schema, good).length, errorsOf(schema, bad).length > 0]).toEqual([0, true]);
  });
});

it("says of a field what is wrong with it, also where one part of the schema knows it and another does not", () => {
  const schema = {
    properties: { a: {} },
    dependentSchemas: { a: { additionalProperties: false } },
    unevaluatedProperties: false,
  };
  expect(fieldsOf(errorsOf(schema, { a: 1 }))).toEqual(["a unknown_field"]);
});
