import { isJsonObject, type JsonValue } from "../domain/json.ts";

const TESTS = {
  null: (value) => value === null,
  boolean: (value) => typeof value === "boolean",
  // JSON has no infinities; a value that came from YAML may have one.
  number: (value) => Number.isFinite(value),
  integer: (value) => Number.isInteger(value),
  string: (value) => typeof value === "string",
  array: (value) => Array.isArray(value),
  object: isJsonObject,
} as const satisfies Record<string, (value: JsonValue) => boolean>;

export type TypeName = keyof typeof TESTS;

export const isTypeName = (given: JsonValue): given is TypeName =>
  typeof given === "string" && Object.hasOwn(TESTS, given);

const WORDS = {
  null: "null",
  boolean: "a boolean",
  number: "a number",
  integer: "an integer",
  string: "a string",
  array: "an array",
  object: "an object",
} as const satisfies Record<TypeName, string>;

/** One function for one name, because nearly every schema has one. */
export function typeTest(names: readonly TypeName[]): (value: JsonValue) => boolean {
  const tests = names.map((name): ((value: JsonValue) => boolean) => TESTS[name]);
  const [only] = tests;
  return tests.length === 1 && only !== undefined ? only : (value) => tests.some((test) => test(value));
}

export const typesInWords = (names: readonly TypeName[]): string => names.map((name) => WORDS[name]).join(" or ");

export function typeInWords(value: JsonValue): string {
  if (value === null) return WORDS.null;
  if (Array.isArray(value)) return WORDS.array;
  return WORDS[typeof value as "boolean" | "number" | "string" | "object"];
}
