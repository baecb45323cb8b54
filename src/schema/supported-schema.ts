import { isJsonObject, type JsonObject, type JsonValue } from "../domain/json.ts";
import { isAnnotation } from "./annotations.ts";
import { isTypeName, type TypeName } from "./type-name.ts";

/** The part of JSON Schema 2020-12 that our own schemas use. Only `unsupportedIn` tells that a schema is one. */
export interface SupportedSchema {
  readonly type?: TypeName | readonly TypeName[];
  readonly properties?: { readonly [name: string]: SupportedSchema };
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean;
  readonly enum?: readonly JsonValue[];
  readonly const?: JsonValue;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly items?: SupportedSchema;
  readonly minItems?: number;
  readonly maxItems?: number;
}

export const isCount = (given: JsonValue): boolean => Number.isInteger(given) && (given as number) >= 0;
const isNumber = (given: JsonValue): boolean => Number.isFinite(given);
export const isListOf = (given: JsonValue, isItem: (item: JsonValue) => boolean): boolean =>
  Array.isArray(given) && given.every(isItem);

export const FORMS: Record<keyof SupportedSchema, (given: JsonValue) => boolean> = {
  type: (given) => isTypeName(given) || (isListOf(given, isTypeName) && (given as JsonValue[]).length > 0),
  properties: isJsonObject,
  required: (given) => isListOf(given, (name) => typeof name === "string"),
  additionalProperties: (given) => typeof given === "boolean",
  enum: (given) => Array.isArray(given) && given.length > 0,
  const: () => true,
  minimum: isNumber,
  maximum: isNumber,
  exclusiveMinimum: isNumber,
  exclusiveMaximum: isNumber,
  minLength: isCount,
  maxLength: isCount,
  items: isJsonObject,
  minItems: isCount,
  maxItems: isCount,
};

const FORM_OF = new Map(Object.entries(FORMS));

/**
 * The first keyword that is outside the subset, or has a form that is, as `properties.path.pattern`; null = none.
 * A keyword that we don't know can only narrow what is good, so a schema that has one must not be checked without it.
 */
export function unsupportedIn(schema: JsonObject, at = ""): string | null {
  for (const [keyword, given] of Object.entries(schema)) {
    if (isAnnotation(keyword)) continue;
    if (FORM_OF.get(keyword)?.(given) !== true) return at + keyword;
    const inner = unsupportedBelow(keyword, given, `${at}${keyword}.`);
    if (inner !== null) return inner;
  }
  return null;
}

function unsupportedBelow(keyword: string, given: JsonValue, at: string): string | null {
  if (keyword === "items") return unsupportedIn(given as JsonObject, at);
  if (keyword !== "properties") return null;
  for (const [name, schema] of Object.entries(given as JsonObject)) {
    const inner = isJsonObject(schema) ? unsupportedIn(schema, `${at}${name}.`) : at + name;
    if (inner !== null) return inner;
  }
  return null;
}
