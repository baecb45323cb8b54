import { isJsonObject, type JsonObject, type JsonValue } from "../../domain/json.ts";
import { plainObject } from "../plain-json.ts";
import { SAYS_NOTHING, withOnly } from "./left-out.ts";
import { acceptsNull, nullable } from "./nullable.ts";
import { namesIn, type ObjectSchema } from "./object-schema.ts";
import { type Restore, restoreItems, restoreMembers } from "./restore.ts";

export interface StrictSchema {
  readonly schema: ObjectSchema;
  readonly restore: Restore;
}

/** OpenAI's limits for strict functions. The texts of one list of more than 250 values are limited together. */
export const STRICT_LIMITS = {
  properties: 5000,
  levels: 10,
  enumValues: 1000,
  longEnumValues: 250,
  longEnumCharacters: 15_000,
  characters: 120_000,
} as const;

const FORMATS: ReadonlySet<JsonValue> = new Set([
  "date-time",
  "time",
  "date",
  "duration",
  "email",
  "hostname",
  "ipv4",
  "ipv6",
  "uuid",
]);

/** What is kept of each kind of value. */
const OF_OBJECTS = ["type", "description"];
const OF_ARRAYS = [...OF_OBJECTS, "minItems", "maxItems"];
const OF_SCALARS = [...OF_OBJECTS, "enum", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"];
/** Told in words instead. */
const TOLD: ReadonlySet<string> = new Set([
  "minLength",
  "maxLength",
  "pattern",
  "format",
  "uniqueItems",
  "default",
  "examples",
]);

/**
 * The schema in the form that OpenAI enforces while the model writes: every member required, an optional one nullable.
 * Null where there is no such form from which every good input can be told again: then the function is not strict, and
 * the gate checks as ever. The gate always checks by the tool's own schema, whatever is offered.
 */
export function strictSchema(schema: JsonObject): StrictSchema | null {
  try {
    const { node, restore } = new Writer().root(schema);
    const strict = plainObject(node) as ObjectSchema;
    return JSON.stringify(strict).length <= STRICT_LIMITS.characters ? { schema: strict, restore } : null;
  } catch (error) {
    if (error instanceof NotStrict) return null;
    throw error;
  }
}

/** There is no strict form. */
class NotStrict extends Error {}

interface Written {
  readonly node: JsonObject;
  readonly restore: Restore;
}

class Writer {
  #properties = 0;
  #enumValues = 0;

  root(schema: JsonObject): Written {
    if (schema["type"] !== "object") throw new NotStrict();
    return this.#object(schema, 1);
  }

  #node(schema: JsonValue | undefined, level: number): Written {
    if (!isJsonObject(schema) || level > STRICT_LIMITS.levels) throw new NotStrict();
    if (schema["anyOf"] !== undefined) return this.#choice(schema, level);
    const types = [schema["type"]].flat();
    if (types.includes("object")) return this.#object(schema, level);
    if (types.includes("array")) return this.#array(schema, level);
    return { node: this.#leaf(schema), restore: null };
  }

  #object(schema: JsonObject, level: number): Written {
    const { properties = {}, required, additionalProperties, ...rest } = schema;
    const named = isJsonObject(properties) ? Object.entries(properties) : [];
    const isClosed = additionalProperties === false || (additionalProperties === undefined && named.length > 0);
    this.#properties += named.length;
    if (rest["type"] !== "object" || !isClosed || this.#properties > STRICT_LIMITS.properties) throw new NotStrict();
    const needed = new Set(namesIn(required));
    if (needed.difference(new Set(named.map(([name]) => name))).size > 0) throw new NotStrict();
    const optional = new Set(named.map(([name]) => name).filter((name) => !needed.has(name)));
    const members = named.map(([name, part]) => [name, this.#member(part, optional.has(name), level)] as const);
    const node = {
      ...onlyTaken(rest, OF_OBJECTS),
      properties: Object.fromEntries(members.map(([name, member]) => [name, member.node])),
      required: named.map(([name]) => name),
      additionalProperties: false,
    };
    return { node, restore: restoreMembers(optional, new Map(members.map(([name, { restore }]) => [name, restore]))) };
  }

  #member(part: JsonValue, isOptional: boolean, level: number): Written {
    // Null would have two meanings, and no one could tell which was meant.
    if (isOptional && acceptsNull(part)) throw new NotStrict();
    const { node, restore } = this.#node(part, level + 1);
    return { node: isOptional ? nullable(node) : node, restore };
  }

  #array(schema: JsonObject, level: number): Written {
    if (schema["type"] !== "array" || Array.isArray(schema["items"])) throw new NotStrict();
    const { items, ...rest } = schema;
    const item = this.#node(items, level + 1);
    return { node: { ...onlyTaken(rest, OF_ARRAYS), items: item.node }, restore: restoreItems(item.restore) };
  }

  /** Which branch a value belongs to is not known, so there must be nothing to restore in any. */
  #choice(schema: JsonObject, level: number): Written {
    const { anyOf, description, title: _title, ...rest } = schema;
    if (!Array.isArray(anyOf) || anyOf.length === 0 || Object.keys(rest).length > 0) throw new NotStrict();
    const branches = (anyOf as readonly JsonValue[]).map((branch) => this.#node(branch, level + 1));
    if (branches.some(({ restore }) => restore !== null)) throw new NotStrict();
    const node = { ...(description !== undefined && { description }), anyOf: branches.map((branch) => branch.node) };
    return { node, restore: null };
  }

  #leaf(schema: JsonObject): JsonObject {
    const { const: only, ...rest } = schema;
    const values = only === undefined ? distinct(rest["enum"]) : [only];
    const given = values.length === 0 ? rest : { ...rest, enum: values };
    this.#enumValues += values.length;
    if (isTooLong(values)) throw new NotStrict();
    const type = given["type"] ?? typeOfAll(values);
    if (type === undefined || this.#enumValues > STRICT_LIMITS.enumValues) throw new NotStrict();
    return onlyTaken({ ...given, type }, OF_SCALARS);
  }
}

/** A list with one value twice is refused as a whole. */
const distinct = (values: JsonValue | undefined): readonly JsonValue[] =>
  Array.isArray(values) ? [...new Map(values.map((value: JsonValue) => [JSON.stringify(value), value])).values()] : [];

const isTooLong = (values: readonly JsonValue[]): boolean =>
  values.length > STRICT_LIMITS.longEnumValues &&
  values.reduce<number>((sum, value) => sum + String(value).length, 0) > STRICT_LIMITS.longEnumCharacters;

/** Only what is taken; a keyword that nobody here knows may mean anything. */
function onlyTaken(schema: JsonObject, kept: readonly string[]): JsonObject {
  const isKept = (keyword: string, value: JsonValue) =>
    kept.includes(keyword) || (keyword === "format" && FORMATS.has(value));
  const isKnown = (keyword: string) => kept.includes(keyword) || TOLD.has(keyword) || SAYS_NOTHING.has(keyword);
  if (!Object.keys(schema).every(isKnown)) throw new NotStrict();
  return withOnly(schema, isKept);
}

const SCALARS: ReadonlySet<string> = new Set(["string", "number", "boolean"]);

/** The type of all values of a list; undefined where they differ, or are none that has a name. */
function typeOfAll(values: readonly JsonValue[]): string | undefined {
  const types = new Set(values.map((value) => (value === null ? "null" : typeof value)));
  const [type] = types;
  return types.size === 1 && type !== undefined && SCALARS.has(type) ? type : undefined;
}
