import { isJsonObject, type JsonObject, type JsonValue } from "../../domain/json.ts";

const ONE: ReadonlySet<string> = new Set([
  "items",
  "additionalProperties",
  "additionalItems",
  "contains",
  "propertyNames",
  "unevaluatedItems",
  "unevaluatedProperties",
  "not",
  "if",
  "then",
  "else",
]);
const LISTS: ReadonlySet<string> = new Set(["anyOf", "oneOf", "allOf", "prefixItems"]);
const NAMED: ReadonlySet<string> = new Set([
  "properties",
  "patternProperties",
  "dependentSchemas",
  "$defs",
  "definitions",
]);

/** The same schema with each schema directly inside it replaced. Values that only look like schemas (`enum`) stay. */
export const mapSubschemas = (schema: JsonObject, change: (inner: JsonObject) => JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(schema).map(([keyword, value]) => [keyword, changed(keyword, value, change)]));

function changed(keyword: string, value: JsonValue, change: (inner: JsonObject) => JsonObject): JsonValue {
  const each = (inner: JsonValue): JsonValue => (isJsonObject(inner) ? change(inner) : inner);
  if (NAMED.has(keyword) && isJsonObject(value)) {
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, each(inner)]));
  }
  // `items` of older drafts may be a list.
  if ((LISTS.has(keyword) || ONE.has(keyword)) && Array.isArray(value)) return value.map(each);
  return ONE.has(keyword) ? each(value) : value;
}
