import type { JsonObject, JsonValue } from "../../src/domain/json.ts";

/** A schema meant to stop the gate, with an input that brings it out. */
export interface Hostile {
  readonly name: string;
  readonly schema: JsonObject;
  readonly input: JsonObject;
  /** The code of the problem when it is loaded, or the rule that the input breaks, or `good`. */
  readonly verdict: string;
}

const repeat = <Item>(count: number, item: (index: number) => Item): Item[] =>
  Array.from({ length: count }, (_, index) => item(index));

const inX = (schema: JsonValue): JsonObject => ({ properties: { x: schema } });

function nest(depth: number, wrap: (inner: JsonObject) => JsonObject): JsonObject {
  let schema: JsonObject = { pattern: "a" };
  for (let i = 0; i < depth; i++) schema = wrap(schema);
  return schema;
}

/** `depth` definitions, each of which asks for the next twice: 2^depth checks of one value. */
const doubling = (depth: number, keyword: "allOf" | "anyOf"): JsonObject => ({
  $ref: "#/$defs/d0",
  $defs: Object.fromEntries([
    ...repeat(depth, (i) => [`d${i}`, { [keyword]: repeat(2, () => ({ $ref: `#/$defs/d${i + 1}` })) }] as const),
    [`d${depth}`, { required: ["never"] }],
  ]),
});

/** Definitions that refer to the next one each. */
const chain = (length: number): JsonObject => ({
  $ref: "#/$defs/d0",
  $defs: Object.fromEntries([
    ...repeat(length - 1, (i) => [`d${i}`, { properties: { x: { $ref: `#/$defs/d${i + 1}` } } }] as const),
    [`d${length - 1}`, { pattern: "a" }],
  ]),
});

const AS = `${"a".repeat(50_000)}!`;

export const HOSTILE: readonly Hostile[] = [
  { name: "nested repeats", schema: inX({ pattern: "(a+)+$" }), input: { x: AS }, verdict: "pattern" },
  { name: "overlapping choice", schema: inX({ pattern: "^(a|a)*$" }), input: { x: AS }, verdict: "pattern" },
  { name: "overlapping runs", schema: inX({ pattern: "^(\\w+\\s?)*$" }), input: { x: AS }, verdict: "pattern" },
  {
    name: "a pattern that is large",
    schema: inX({ pattern: "(a?){200}a{200}$" }),
    input: { x: AS },
    verdict: "max_work",
  },
  {
    name: "a repeat of a repeat",
    schema: inX({ pattern: "((a{100}){100}){100}" }),
    input: {},
    verdict: "SCHEMA_INVALID",
  },
  { name: "a lookahead", schema: inX({ pattern: "^(?=(a+)+$)" }), input: {}, verdict: "SCHEMA_INVALID" },
  { name: "a back-reference", schema: inX({ pattern: "^(a+)\\1+$" }), input: {}, verdict: "SCHEMA_INVALID" },
  {
    name: "a pattern of a megabyte",
    schema: inX({ pattern: "a".repeat(2 ** 20) }),
    input: {},
    verdict: "SCHEMA_TOO_COMPLEX",
  },
  {
    name: "patterns of names",
    schema: { patternProperties: { "(a+)+$": {}, "^(a|a)*$": { type: "null" } } },
    input: Object.fromEntries(repeat(2000, (i) => [`${"a".repeat(100)}${i}`, 0])),
    verdict: "good",
  },
  { name: "a reference to itself", schema: { $ref: "#" }, input: {}, verdict: "SCHEMA_INVALID" },
  {
    name: "two references in a circle",
    schema: { $ref: "#/$defs/a", $defs: { a: { allOf: [{ $ref: "#/$defs/b" }] }, b: { not: { $ref: "#/$defs/a" } } } },
    input: {},
    verdict: "SCHEMA_INVALID",
  },
  { name: "doubling, all of", schema: doubling(40, "allOf"), input: {}, verdict: "max_work" },
  { name: "doubling, any of", schema: doubling(40, "anyOf"), input: {}, verdict: "max_work" },
  {
    name: "doubling with the input's depth",
    schema: { properties: { x: { anyOf: [{ $ref: "#" }, { $ref: "#" }] } }, required: ["y"] },
    input: repeat(200, () => 0).reduce<JsonObject>((x) => ({ x }), {}),
    verdict: "max_work",
  },
  {
    name: "a recursive schema, which is fine",
    schema: { type: "object", properties: { x: { $ref: "#" } }, minProperties: 0 },
    input: repeat(200, () => 0).reduce<JsonObject>((x) => ({ x }), {}),
    verdict: "good",
  },
  {
    name: "a million allowed values",
    schema: inX({ enum: repeat(1e6, (i) => i) }),
    input: {},
    verdict: "SCHEMA_TOO_COMPLEX",
  },
  {
    name: "many allowed values",
    schema: inX({ items: { enum: repeat(40_000, (i) => `v${i}`) } }),
    input: { x: repeat(100_000, (i) => `v${i % 40_000}`) },
    verdict: "good",
  },
  {
    name: "a hundred thousand different items",
    schema: inX({ uniqueItems: true }),
    input: { x: repeat(100_000, (i) => ({ id: i })) },
    verdict: "good",
  },
  {
    name: "a hundred thousand items and one twice",
    schema: inX({ uniqueItems: true }),
    input: { x: [...repeat(100_000, (i) => ({ id: i })), { id: 5 }] },
    verdict: "unique_items",
  },
  {
    name: "many unique checks of many items",
    schema: inX({ allOf: repeat(500, () => ({ uniqueItems: true })) }),
    input: { x: repeat(100_000, (i) => ({ id: i })) },
    verdict: "max_work",
  },
  {
    name: "nested 3000 deep",
    schema: nest(3000, (inner) => ({ not: inner })),
    input: {},
    verdict: "SCHEMA_TOO_COMPLEX",
  },
  { name: "nested 60 deep", schema: nest(60, (inner) => ({ not: inner })), input: {}, verdict: "good" },
  {
    name: "many schemas",
    schema: { properties: Object.fromEntries(repeat(5000, (i) => [`k${i}`, { pattern: "a" }])) },
    input: {},
    verdict: "SCHEMA_TOO_COMPLEX",
  },
  {
    name: "many conditions for many items",
    schema: inX({ items: { anyOf: repeat(400, (i) => ({ const: `c${i}` })) } }),
    input: { x: repeat(100_000, () => "no") },
    verdict: "max_work",
  },
  { name: "a chain of references", schema: chain(250), input: {}, verdict: "SCHEMA_TOO_COMPLEX" },
  { name: "a shorter chain of references", schema: chain(100), input: {}, verdict: "good" },
  {
    name: "a huge text under many lengths",
    schema: inX({ allOf: repeat(900, (i) => ({ maxLength: 2 ** 26 + i, format: "hostname" })) }),
    input: { x: "é".repeat(2 ** 24) },
    verdict: "max_work",
  },
  {
    name: "a hundred thousand bad items",
    schema: inX({ items: { type: "string", pattern: "a" } }),
    input: { x: repeat(100_000, (i) => i) },
    verdict: "type",
  },
];
