import { isJsonObject, type JsonObject } from "../../domain/json.ts";
import { type PlainObject, plainObject } from "../plain-json.ts";
import { withOnly } from "./left-out.ts";
import { mapSubschemas } from "./subschemas.ts";

/** What a tool takes, as every provider wants it to be written. */
export type ObjectSchema = {
  type: "object";
  properties: PlainObject;
  required?: string[];
  [keyword: string]: PlainObject[string] | undefined;
};

/** Anthropic and OpenAI refuse a request that has one of these at the root of a tool's schema. */
const NOT_AT_ROOT: ReadonlySet<string> = new Set([
  "anyOf",
  "oneOf",
  "allOf",
  "not",
  "enum",
  "const",
  "if",
  "then",
  "else",
]);

/** JSON Schema with an object at the root and items in every array, which are the two things no provider does without. */
export const objectSchema = (schema: JsonObject): ObjectSchema => rooted(withoutChoice(withItems(schema)));

/** What is told of the root as a whole is told in words. */
export const withoutChoice = (root: JsonObject): JsonObject =>
  withOnly(root, (keyword) => !NOT_AT_ROOT.has(keyword) && keyword !== "$schema");

/** `required` stays only where it names what there is: Gemini refuses anything else. */
export function rooted(schema: JsonObject): ObjectSchema {
  const { type: _type, properties, required: names, ...rest } = plainObject(schema);
  const named = isJsonObject(properties) ? (properties as PlainObject) : {};
  const required = namesIn(names).filter((name) => Object.hasOwn(named, name));
  return { type: "object", properties: named, ...(required.length > 0 && { required }), ...rest };
}

export const namesIn = (required: unknown): string[] =>
  Array.isArray(required) ? required.filter((name): name is string => typeof name === "string") : [];

/** OpenAI and Gemini refuse an array of which nobody says what is in it. */
function withItems(schema: JsonObject): JsonObject {
  const inner = mapSubschemas(schema, withItems);
  const isArray = [inner["type"]].flat().includes("array");
  return isArray && inner["items"] === undefined ? { ...inner, items: {} } : inner;
}
