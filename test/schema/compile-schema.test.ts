import { describe, expect, it } from "vitest";
import type { JsonObject, JsonValue } from "../../src/domain/json.ts";
import type { InputError } from "../../src/domain/outcome.ts";
import { compileCheck, compileSchema } from "../../src/schema/compile-schema.ts";

function errorsOf(schema: JsonObject, input: JsonValue): readonly InputError[] {
  const compiled = compileSchema(schema);
  if ("problem" in compiled) throw new Error(compiled.problem.message);
  return compiled.check(input as JsonObject);
}

const inX = (schema: JsonObject): JsonObject => ({ properties: { x: schema } });

describe("what a field must be", () => {
  it.each<[string, JsonObject, good: JsonValue, bad: JsonValue, rule: string, message: string]>([
    ["string", { type: "string" }, "", 1, "type", "`x` must be a string, not a number"],
    ["number", { type: "number" }, -1.5, "1", "type", "`x` must be a number, not a string"],
    ["number, infinite", { type: "number" }, 1e308, Infinity, "type", "`x` must be a number, not a number"],
    ["integer", { type: "integer" }, 2, 2.5, "type", "`x` must be an integer, not 2.5"],
    ["integer, not text", { type: "integer" }, 2, "2", "type", "`x` must be an integer, not a string"],
    ["boolean", { type: "boolean" }, false, 0, "type", "`x` must be a boolean, not a number"],
    ["null", { type: "null" }, null, {}, "type", "`x` must be null, not an object"],
    ["array", { type: "array" }, [], {}, "type", "`x` must be an array, not an object"],
    ["object", { type: "object" }, {}, [], "type", "`x` must be an object, not an array"],
    ["object, not null", { type: "object" }, {}, null, "type", "`x` must be an object, not null"],
    ["two types", { type: ["string", "null"] }, null, true, "type", "`x` must be a string or null, not a boolean"],
    ["enum", { enum: ["a", 1] }, 1, "1", "enum", "`x` must be one of `a`, `1`"],
    ["const", { const: true }, true, 1, "const", "`x` must be `true`"],
    ["const, nested", { const: { a: [1, 2] } }, { a: [1, 2] }, { a: [2, 1] }, "const", '`x` must be `{"a":[1,2]}`'],
    ["minimum", { minimum: 3 }, 3, 2.9, "min_value", "`x` must be at least 3, not 2.9"],
    ["maximum", { maximum: 3 }, 3, 3.1, "max_value", "`x` must be at most 3, not 3.1"],
    ["exclusive minimum", { exclusiveMinimum: 3 }, 3.1, 3, "min_value", "`x` must be more than 3, not 3"],
    ["exclusive maximum", { exclusiveMaximum: 3 }, 2.9, 3, "max_value", "`x` must be less than 3, not 3"],
    ["minLength", { minLength: 2 }, "ab", "a", "min_length", "`x` must have at least 2 characters, has 1"],
    [
      "minLength in code points",
      { minLength: 2 },
      "😀😀",
      "😀",
      "min_length",
      "`x` must have at least 2 characters, has 1",
    ],
    ["maxLength", { maxLength: 1 }, "a", "ab", "max_length", "`x` must have at most 1 character, has 2"],
    [
      "maxLength in code points",
      { maxLength: 1 },
      "😀",
      "😀a",
      "max_length",
      "`x` must have at most 1 character, has 2",
    ],
    ["minItems", { minItems: 1 }, [0], [], "min_items", "`x` must have at least 1 item, has 0"],
    ["maxItems", { maxItems: 2 }, [0, 0], [0, 0, 0], "max_items", "`x` must have at most 2 items, has 3"],
  ])("%s", (_, schema, good, bad, rule, message) => {
    expect(errorsOf(inX(schema), { x: good })).toEqual([]);
    expect(errorsOf(inX(schema), { x: bad })).toEqual([{ field: "x", rule, message }]);
  });

  it("says nothing about values of types that a keyword is not about", () => {
    const schema = { minimum: 5, minLength: 5, maxLength: 0, minItems: 5, maxItems: 0, items: {}, required: ["a"] };
    expect(errorsOf(inX({ ...schema, properties: { a: { type: "null" } } }), { x: true })).toEqual([]);
  });

  it("names at most twenty values of an enum", () => {
    const numbers = Array.from({ length: 21 }, (_, i) => i);
    const [error] = errorsOf(inX({ enum: numbers }), { x: -1 });
    expect(error?.message).toMatch(/`19`, …$/);
  });
});

describe("where", () => {
  it("names fields with dots and indices, and reports all errors at once", () => {
    const edit = { type: "object", properties: { oldText: { type: "string" } }, required: ["oldText", "oldText"] };
    const schema = { type: "object", properties: { edits: { type: "array", items: edit } }, required: ["path"] };
    const found = errorsOf(schema, { edits: [{ oldText: "a" }, {}, { oldText: 2 }, 4] });
    expect(found.map(({ field, rule }) => [field, rule])).toEqual([
      ["path", "required"],
      ["edits[1].oldText", "required"],
      ["edits[2].oldText", "type"],
      ["edits[3]", "type"],
    ]);
  });

  it("calls the root the input", () => {
    expect(errorsOf({ type: "object" }, [])).toEqual([
      { field: "", rule: "type", message: "the input must be an object, not an array" },
    ]);
  });

  it("gives paths to those who need them", () => {
    const compiled = compileCheck({ properties: { "a.b": { items: { type: "null" } } } });
    if ("unsupported" in compiled) throw new Error(compiled.unsupported);
    expect(compiled.check({ "a.b": [null, 1] })[0]?.path).toEqual(["a.b", 1]);
  });

  it("stops at a hundred errors", () => {
    const many = Array.from({ length: 1000 }, () => 0);
    expect(errorsOf(inX({ items: { type: "string" } }), { x: many })).toHaveLength(100);
    const unknown = Object.fromEntries(many.map((_, i) => [`k${i}`, i]));
    expect(errorsOf({ additionalProperties: false, required: ["a"] }, unknown)).toHaveLength(100);
  });
});

describe("unknown fields", () => {
  const closed = { properties: { path: {}, content: {} }, additionalProperties: false };

  it.each<[given: string, message: string]>([
    ["pth", "`pth` is not a known field, the nearest is `path`"],
    ["zzzzzzzz", "`zzzzzzzz` is not a known field"],
    ["constructor", "`constructor` is not a known field"],
    ["__proto__", "`__proto__` is not a known field"],
    ["toString", "`toString` is not a known field"],
    ["a\nb\u202e", "`a\\u{a}b\\u{202e}` is not a known field"],
    ["k".repeat(99), `\`${"k".repeat(80)}…\` is not a known field`],
  ])("%j", (name, message) => {
    const input: JsonObject = JSON.parse(`{${JSON.stringify(name)}: {"path": 1}}`);
    expect(errorsOf(closed, input).map((error) => error.message)).toEqual([message]);
    expect(errorsOf({ ...closed, additionalProperties: true }, input)).toEqual([]);
  });

  it("takes an own `__proto__` for what it is where a schema names it", () => {
    const schema: JsonObject = JSON.parse(
      '{"properties": {"__proto__": {"type": "string"}}, "required": ["__proto__"], "additionalProperties": false}',
    );
    expect(errorsOf(schema, JSON.parse('{"__proto__": "x"}'))).toEqual([]);
    expect(errorsOf(schema, JSON.parse('{"__proto__": 1}')).map((error) => error.rule)).toEqual(["type"]);
    expect(errorsOf(schema, {}).map((error) => error.rule)).toEqual(["required"]);
  });

  it("looks at no prototype", () => {
    const input: JsonObject = Object.assign(Object.create({ path: "inherited" }), { content: "" });
    expect(errorsOf({ ...closed, required: ["path"] }, input).map((error) => error.rule)).toEqual(["required"]);
    const strange: JsonObject = Object.create({ strange: 1 });
    expect(errorsOf(closed, strange)).toEqual([]);
    expect(errorsOf({ required: ["constructor"] }, {}).map((error) => error.field)).toEqual(["constructor"]);
  });
});

describe("schemas outside the subset", () => {
  it.each<[unsupported: string, JsonObject]>([
    ["pattern", { pattern: "a" }],
    ["$ref", { $ref: "#" }],
    ["format", { type: "string", format: "uri" }],
    ["constructor", { constructor: 1 } as unknown as JsonObject],
    ["properties.a.oneOf", { properties: { a: { oneOf: [] } } }],
    ["properties.a", { properties: { a: true } }],
    ["items.items.not", { items: { items: { not: {} } } }],
    ["items", { items: [] }],
    ["properties", { properties: [] }],
    ["additionalProperties", { additionalProperties: {} }],
    ["type", { type: "text" }],
    ["type", { type: [] }],
    ["type", { type: ["string", "toString"] }],
    ["required", { required: [1] }],
    ["enum", { enum: [] }],
    ["enum", { enum: "a" }],
    ["minimum", { minimum: "1" }],
    ["minLength", { minLength: -1 }],
    ["maxItems", { maxItems: 1.5 }],
  ])("%s", (unsupported, schema) => expect(compileCheck(schema)).toEqual({ unsupported }));

  it("reads over annotations", () => {
    const schema = { $schema: "s", title: "t", description: "d", default: 1, examples: [], "x-unit": "ms", const: 1 };
    expect(errorsOf(inX(schema), { x: 1 })).toEqual([]);
  });
});
