import { isJsonObject, type JsonValue } from "../../domain/json.ts";
import { isCount, isListOf, FORMS as SUBSET_FORMS } from "../supported-schema.ts";

/** What a keyword holds: schemas (one, a list, or by name) or something else. */
export interface Keyword {
  readonly holds: "schema" | "schemas" | "named schemas" | "value";
  readonly isGood: (given: JsonValue) => boolean;
}

const isText = (given: JsonValue): boolean => typeof given === "string";
const isBoolean = (given: JsonValue): boolean => typeof given === "boolean";
const isSchema = (given: JsonValue): boolean => isBoolean(given) || isJsonObject(given);
const isMapOf = (given: JsonValue, isMember: (member: JsonValue) => boolean): boolean =>
  isJsonObject(given) && Object.values(given).every(isMember);

const VALUE = (isGood: Keyword["isGood"]): Keyword => ({ holds: "value", isGood });
const SCHEMA: Keyword = { holds: "schema", isGood: isSchema };
const SCHEMAS: Keyword = {
  holds: "schemas",
  isGood: (given) => isListOf(given, isSchema) && (given as JsonValue[]).length > 0,
};
const NAMED_SCHEMAS: Keyword = { holds: "named schemas", isGood: (given) => isMapOf(given, isSchema) };

const { properties, items, additionalProperties, ...subset } = SUBSET_FORMS;

/** JSON Schema 2020-12 without what reaches outside the schema or is resolved while checking (`$dynamicRef`, `$anchor`). */
const KEYWORDS: Readonly<Record<string, Keyword>> = {
  ...Object.fromEntries(Object.entries(subset).map(([name, isGood]) => [name, VALUE(isGood)])),
  $ref: VALUE(isText),
  pattern: VALUE(isText),
  format: VALUE(isText),
  multipleOf: VALUE((given) => Number.isFinite(given) && (given as number) > 0),
  uniqueItems: VALUE(isBoolean),
  minContains: VALUE(isCount),
  maxContains: VALUE(isCount),
  minProperties: VALUE(isCount),
  maxProperties: VALUE(isCount),
  dependentRequired: VALUE((given) => isMapOf(given, (names) => isListOf(names, isText))),
  additionalProperties: SCHEMA,
  items: SCHEMA,
  contains: SCHEMA,
  propertyNames: SCHEMA,
  not: SCHEMA,
  if: SCHEMA,
  // biome-ignore lint/suspicious/noThenProperty: it is a keyword of JSON Schema, and nobody awaits this table
  then: SCHEMA,
  else: SCHEMA,
  unevaluatedItems: SCHEMA,
  unevaluatedProperties: SCHEMA,
  allOf: SCHEMAS,
  anyOf: SCHEMAS,
  oneOf: SCHEMAS,
  prefixItems: SCHEMAS,
  properties: NAMED_SCHEMAS,
  patternProperties: NAMED_SCHEMAS,
  dependentSchemas: NAMED_SCHEMAS,
  $defs: NAMED_SCHEMAS,
  definitions: NAMED_SCHEMAS,
};

export const keywordNamed = (name: string): Keyword | undefined =>
  Object.hasOwn(KEYWORDS, name) ? KEYWORDS[name] : undefined;

/** The schemas that a keyword of a checked form holds, with the step that leads to each. */
export function* heldSchemas({ holds }: Keyword, given: JsonValue): Generator<readonly [step: string, JsonValue]> {
  if (holds === "schema") yield ["", given];
  else if (holds !== "value") for (const [step, schema] of Object.entries(given as object)) yield [step, schema];
}
