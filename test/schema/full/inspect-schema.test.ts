import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../src/domain/json.ts";
import { compileSchema, compileWhenUsed } from "../../../src/schema/compile-schema.ts";

const problemOf = (schema: JsonObject) => {
  const compiled = compileSchema(schema);
  return "problem" in compiled ? compiled.problem.message : null;
};

const parsed = (text: string): JsonObject => JSON.parse(text) as JsonObject;

const UNKNOWN = "is not a keyword that is known here";
const FORM = "has a form that JSON Schema 2020-12 does not know";
const LOST = "names no schema inside this one, and others are not loaded";

/** Patterns of about a thousand instructions each. */
const patterns = (count: number): JsonObject => ({
  properties: Object.fromEntries(Array.from({ length: count }, (_, i) => [`p${i}`, { pattern: `a{${970 + i}}` }])),
});

describe("patterns that take long to compile", () => {
  const TOO_MANY = "its patterns have more than 25000 instructions together";

  it.each<[what: string, JsonObject, problem: string | null]>([
    ["a few", patterns(24), null],
    ["too many", patterns(30), TOO_MANY],
    [
      "of names",
      { patternProperties: Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`a{${970 + i}}`, {}])) },
      TOO_MANY,
    ],
    ["some properties", { pattern: "[\\p{L}\\p{N}]".repeat(100) }, null],
    [
      "many properties",
      { allOf: Array.from({ length: 3 }, () => ({ pattern: "[\\p{L}\\p{N}]".repeat(100) })) },
      TOO_MANY,
    ],
  ])("%s in one schema", (_, schema, problem) => expect(problemOf(schema)).toBe(problem));

  it("have room together, and what is refused takes of it, too", () => {
    const room = { instructions: 45_000 };
    const compile = (schema: JsonObject) => {
      const compiled = compileWhenUsed(schema, room);
      return "problem" in compiled ? compiled.problem.message : compiled.check({ p0: "b" }).length;
    };
    const beyond = "its patterns, and those of schemas before it, take too long to compile";
    expect([compile(patterns(10)), compile(patterns(30)), compile(patterns(20))]).toEqual([1, TOO_MANY, beyond]);
    expect([compile({ pattern: "a" }), compile({ anyOf: [{ required: ["p0"] }] })]).toEqual([beyond, 0]);
  });
});

describe("schemas that are not taken", () => {
  it.each<[problem: string, JsonObject]>([
    [`\`patern\` ${UNKNOWN}`, { patern: "a" }],
    [`\`properties.a.nullable\` ${UNKNOWN}`, { properties: { a: { type: "string", nullable: true } } }],
    [`\`anyOf.1.$anchor\` ${UNKNOWN}`, { anyOf: [{}, { $anchor: "a" }] }],
    [`\`$dynamicRef\` ${UNKNOWN}`, { $dynamicRef: "#" }],
    [`\`toString\` ${UNKNOWN}`, parsed('{"toString": 1}')],
    [`\`items\` ${FORM}`, { items: [{}] }],
    [`\`not\` ${FORM}`, { not: 1 }],
    [`\`allOf\` ${FORM}`, { allOf: [] }],
    [`\`oneOf\` ${FORM}`, { oneOf: [1] }],
    [`\`properties\` ${FORM}`, { properties: { a: 1 } }],
    [`\`exclusiveMinimum\` ${FORM}`, { minimum: 1, exclusiveMinimum: true }],
    [`\`multipleOf\` ${FORM}`, { multipleOf: 0 }],
    [`\`dependentRequired\` ${FORM}`, { dependentRequired: { a: [1] } }],
    [`\`then.minContains\` ${FORM}`, parsed('{"if": {}, "then": {"minContains": -1}}')],
    ["`items.$id` is allowed at the top only", { items: { $id: "a", pattern: "b" } }],
    ["`properties` has a field called `__proto__`", parsed('{"pattern": "a", "properties": {"__proto__": {}}}')],
    ["`required` has a field called `__proto__`", { pattern: "a", required: ["__proto__"] }],
    ["`dependentRequired` has a field called `__proto__`", { dependentRequired: { a: ["__proto__"] } }],
    ["`$defs` has a field called `__proto__`", parsed('{"$defs": {"__proto__": {}}}')],
    ["`pattern`: `(` is not a regular expression", { pattern: "(" }],
    [
      "`patternProperties`: `(?=a)` uses a lookahead, which can't be matched in linear time",
      { patternProperties: { a: {}, "(?=a)": {} } },
    ],
    [`\`$ref\`: \`https://example.com/a\` ${LOST}`, { $ref: "https://example.com/a" }],
    [`\`$ref\`: \`other.json#/a\` ${LOST}`, { $ref: "other.json#/a" }],
    [`\`$ref\`: \`#a\` ${LOST}`, { $ref: "#a" }],
    [`\`$ref\`: \`#/$defs/a\` ${LOST}`, { $ref: "#/$defs/a", $defs: { b: {} } }],
    [`\`$ref\`: \`#/$defs\` ${LOST}`, { $ref: "#/$defs", $defs: {} }],
    [`\`$ref\`: \`#/default\` ${LOST}`, { $ref: "#/default", default: { pattern: "a" } }],
    [`\`$ref\`: \`#/constructor\` ${LOST}`, { $ref: "#/constructor" }],
    [`\`$ref\`: \`#/title/length\` ${LOST}`, { $ref: "#/title/length", title: "a" }],
    [`\`$ref\`: \`#/%\` ${LOST}`, { $ref: "#/%" }],
    ["a reference in it leads back to itself", { properties: { a: { $ref: "#/properties/a" } } }],
    ["a reference in it leads back to itself", { dependentSchemas: { a: { $ref: "#" } } }],
  ])("%s", (problem, schema) => expect(problemOf(schema)).toBe(problem));

  it("says whether a schema is wrong or only too much", () => {
    expect(compileSchema({ patern: "a" })).toMatchObject({ problem: { code: "SCHEMA_INVALID" } });
    expect(compileSchema({ enum: Array(50_001).fill(0) })).toMatchObject({ problem: { code: "SCHEMA_TOO_COMPLEX" } });
  });

  it("ends at a schema that holds itself", () => {
    const schema: Record<string, object> = {};
    schema["not"] = schema;
    expect(problemOf(schema as unknown as JsonObject)).toBe("it is nested more than 64 deep");
  });
});

describe("schemas that are", () => {
  it.each<[string, JsonObject]>([
    [
      "annotations",
      { pattern: "a", $comment: "", deprecated: true, readOnly: true, contentSchema: { wrong: 1 }, "x-a": 1 },
    ],
    ["draft 7 definitions", { $ref: "#/definitions/a", definitions: { a: { type: "string" } } }],
    ["a reference into a list", { $ref: "#/$defs/a/anyOf/1", $defs: { a: { anyOf: [{}, { pattern: "a" }] } } }],
    ["an escaped reference", { $ref: "#/$defs/a%20b~1c~0", $defs: { "a b/c~": true } }],
    ["two ways to one schema", { allOf: [{ $ref: "#/$defs/a" }, { $ref: "#/$defs/a" }], $defs: { a: {} } }],
    ["booleans", { properties: { a: true, b: false }, items: false }],
  ])("%s", (_, schema) => expect(problemOf(schema)).toBeNull());
});
