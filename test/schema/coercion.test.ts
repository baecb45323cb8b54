import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonObject, JsonValue } from "../../src/domain/json.ts";
import { coercionFromSchema } from "../../src/schema/coercion.ts";
import { compileSchema } from "../../src/schema/compile-schema.ts";
import { HARD_NAMES, PLAIN_NAMES, someFullSchema, someSchema, someValue } from "./arbitrary-schema.ts";

const coerced = (schema: JsonValue, value: JsonValue): JsonValue | undefined =>
  coercionFromSchema({ properties: { x: schema } })({ x: value })["x"];

describe("texts that stand for something else", () => {
  it.each<[schema: JsonObject, text: string, value: JsonValue]>([
    [{ type: "integer" }, "30", 30],
    [{ type: "integer" }, "-7", -7],
    [{ type: "integer" }, "0", 0],
    [{ type: "integer" }, "9007199254740991", 9007199254740991],
    [{ type: "number" }, "30", 30],
    [{ type: "number" }, "1.5", 1.5],
    [{ type: "number" }, "-0.25", -0.25],
    [{ type: "boolean" }, "true", true],
    [{ type: "boolean" }, "false", false],
    [{ type: ["integer", "null"] }, "30", 30],
    [{ type: ["boolean", "integer"] }, "true", true],
    [{ type: ["boolean", "integer"] }, "1", 1],
    [{ enum: [1, 2.5, null, [], {}, false] }, "2.5", 2.5],
    [{ const: 3 }, "3", 3],
    [{ anyOf: [{ type: "integer" }, { type: "null" }] }, "30", 30],
    [{ oneOf: [{ type: "integer" }, { type: "boolean" }] }, "true", true],
    [{ allOf: [{ type: ["integer", "string"] }, { type: "number" }] }, "30", 30],
  ])("%j takes %j", (schema, text, value) => expect(coerced(schema, text)).toBe(value));

  it.each<[schema: JsonObject, given: JsonValue]>([
    ...[
      "",
      " ",
      " 30 ",
      "30\n",
      "+5",
      "05",
      "1.0",
      "1e3",
      "1e+21",
      "0x10",
      "12abc",
      "1_000",
      "1,000",
      "٣",
      "½",
      "-0",
      "--1",
    ].map((text): [JsonObject, JsonValue] => [{ type: "number" }, text]),
    ...[
      "NaN",
      "Infinity",
      "-Infinity",
      "null",
      "9007199254740992",
      "9007199254740993",
      "0.1000000000000000055",
      "1".repeat(99),
    ].map((text): [JsonObject, JsonValue] => [{ type: "number" }, text]),
    ...["1.5", "1e3", "30.0", "true"].map((text): [JsonObject, JsonValue] => [{ type: "integer" }, text]),
    ...["True", "TRUE", "1", "0", "yes", "", "on"].map((text): [JsonObject, JsonValue] => [{ type: "boolean" }, text]),
    ...[null, true, false, [], {}, [1], 5].map((value): [JsonObject, JsonValue] => [{ type: "number" }, value]),
    ...[null, 0, 1, 5].map((value): [JsonObject, JsonValue] => [{ type: "boolean" }, value]),
    [{ type: ["number", "string"] }, "30"],
    [{ type: "string" }, "30"],
    [{ type: "null" }, "null"],
    [{}, "30"],
    [{ minimum: 3 }, "30"],
    [{ enum: [30, "30"] }, "30"],
    [{ anyOf: [{ type: "integer" }, { type: "string" }] }, "30"],
    [{ anyOf: [{ type: "integer" }, {}] }, "30"],
    [{ anyOf: [{ type: "integer" }, true] }, "30"],
    [{ not: { type: "string" } }, "30"],
    [{ properties: { a: { type: "integer" } } }, "30"],
    [{ properties: { a: { type: "integer" } } }, ["30"]],
    [{ items: { type: "integer" } }, "30"],
    [{ items: { type: "integer" } }, { a: "30" }],
    [{ type: "integer" }, ["30"]],
    [{ type: "integer" }, { a: "30" }],
    [{ type: "integer" }, null],
  ])("%j leaves %j", (schema, given) => expect(coerced(schema, given)).toBe(given));

  it("takes a choice that leaves nothing else", () =>
    expect(coerced({ anyOf: [{ type: "integer" }, false] }, "30")).toBe(30));
});

describe("where", () => {
  const integer = { type: "integer" };

  it.each<[what: string, JsonObject, JsonObject, JsonObject]>([
    [
      "members",
      { properties: { a: { properties: { b: integer } } } },
      { a: { b: "1", c: "2" } },
      { a: { b: 1, c: "2" } },
    ],
    ["items", { properties: { a: { items: integer } } }, { a: ["1", "x", 3] }, { a: [1, "x", 3] }],
    [
      "items after others",
      { properties: { a: { prefixItems: [integer, {}], items: { type: "boolean" } } } },
      { a: ["1", "1", "true", "1"] },
      { a: [1, "1", true, "1"] },
    ],
    ["first items only", { properties: { a: { prefixItems: [integer] } } }, { a: ["1", "1"] }, { a: [1, "1"] }],
    ["other members", { properties: { a: {} }, additionalProperties: integer }, { a: "1", b: "2" }, { a: "1", b: 2 }],
    [
      "not other members beside patterns",
      { patternProperties: { "^b": {} }, additionalProperties: integer },
      { b: "2" },
      { b: "2" },
    ],
    ["references", { properties: { a: { $ref: "#/$defs/a" } }, $defs: { a: integer } }, { a: "1" }, { a: 1 }],
    [
      "schemas that hold together",
      { allOf: [{ properties: { a: integer } }, { $ref: "#/$defs/b" }], $defs: { b: { properties: { b: integer } } } },
      { a: "1", b: "2" },
      { a: 1, b: 2 },
    ],
    [
      "trees",
      { properties: { n: integer, next: { $ref: "#" } } },
      { n: "1", next: { n: "2", next: { n: "x", next: { n: "3" } } } },
      { n: 1, next: { n: 2, next: { n: "x", next: { n: 3 } } } },
    ],
    [
      "not in an array for an object",
      { properties: { a: { properties: { 0: integer } } } },
      { a: ["1"] },
      { a: ["1"] },
    ],
    ["not in an object for an array", { properties: { a: { items: integer } } }, { a: { 0: "1" } }, { a: { 0: "1" } }],
    ["not the branches of a choice", { anyOf: [{ properties: { a: integer } }, {}] }, { a: "1" }, { a: "1" }],
  ])("%s", (_, schema, given, value) => {
    const before = JSON.stringify(given);
    expect(coercionFromSchema(schema)(given)).toEqual(value);
    expect(JSON.stringify(given)).toBe(before);
  });

  it("looks at a part once, however often references meet in it", () => {
    const schema = {
      properties: { x: { $ref: "#" } },
      $ref: "#/$defs/a",
      $defs: { a: { properties: { x: { allOf: [{ $ref: "#" }, { $ref: "#" }] }, n: integer } } },
    };
    let input: JsonObject = { n: "1" };
    for (let i = 0; i < 200; i++) input = { x: input };
    expect(JSON.stringify(coercionFromSchema(schema)(input))).toMatch(/^({"x":){200}{"n":1}/);
  });

  it("does not copy what it does not change", () => {
    const schema = { properties: { a: integer, b: { items: integer }, c: {} }, additionalProperties: integer };
    const input = { a: 1, b: [1, 2, "x"], c: { d: "1" }, d: 5 };
    expect(coercionFromSchema(schema)(input)).toBe(input);
    const changed = coercionFromSchema(schema)({ ...input, a: "1" });
    expect(changed["b"]).toBe(input.b);
    expect(changed["c"]).toBe(input.c);
  });

  it("does not even look where there is nothing to coerce", () => {
    const input = {
      get a(): string {
        throw new Error("looked");
      },
    };
    const nothing = {
      properties: { a: { type: "string" }, b: { items: {}, prefixItems: [{}] } },
      additionalProperties: {},
    };
    expect(coercionFromSchema(nothing)(input)).toBe(input);
  });

  it("freezes what it copies, as the input was", () => {
    const value = coercionFromSchema({ properties: { a: { items: integer } } })({ a: ["1"] });
    expect([Object.isFrozen(value), Object.isFrozen(value["a"])]).toEqual([true, true]);
  });

  it("keeps a member called `__proto__` one", () => {
    const given = JSON.parse('{"a": "1", "__proto__": {"b": 1}}') as JsonObject;
    const value = coercionFromSchema({ properties: { a: integer } })(given);
    expect(Object.hasOwn(value, "__proto__")).toBe(true);
    expect(value["b"]).toBeUndefined();
  });
});

describe("laws", () => {
  const schemas = fc.oneof(someSchema(HARD_NAMES), someFullSchema(PLAIN_NAMES));
  const objects = fc.dictionary(
    fc.constantFrom(...HARD_NAMES),
    fc.oneof(someValue(HARD_NAMES), fc.constantFrom("1", "true", "2.5")),
  );

  it("leaves what is good, and does nothing the second time", () =>
    void fc.assert(
      fc.property(schemas, fc.array(objects, { minLength: 20, maxLength: 20 }), (schema, inputs) => {
        const compiled = compileSchema(schema);
        if ("problem" in compiled) throw new Error(compiled.problem.message);
        for (const input of inputs) {
          const value = compiled.coerce(input);
          expect(compiled.coerce(value)).toBe(value);
          if (compiled.check(input).length === 0) expect(value).toBe(input);
        }
      }),
    ));
});
