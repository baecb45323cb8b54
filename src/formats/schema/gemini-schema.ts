import { isJsonObject, type JsonObject } from "../../domain/json.ts";
import { withOnly } from "./left-out.ts";
import { namesIn, type ObjectSchema, rooted, withoutChoice } from "./object-schema.ts";
import { mapSubschemas } from "./subschemas.ts";

/** What `parametersJsonSchema` takes; the rest is told in words. */
const KEPT: ReadonlySet<string> = new Set([
  "$defs",
  "type",
  "format",
  "title",
  "description",
  "enum",
  "items",
  "prefixItems",
  "minItems",
  "maxItems",
  "minimum",
  "maximum",
  "anyOf",
  "oneOf",
  "properties",
  "additionalProperties",
  "required",
]);

/** Gemini's subset of JSON Schema. */
export function geminiSchema(schema: JsonObject): ObjectSchema {
  const { definitions, ...rest } = schema;
  const older = isJsonObject(definitions) ? definitions : {};
  const defs = { ...older, ...(isJsonObject(schema["$defs"]) ? schema["$defs"] : {}) };
  return rooted(plainSubset(withoutChoice(Object.keys(defs).length > 0 ? { ...rest, $defs: defs } : rest)));
}

/** A reference stands alone there; what stands beside it is left to the gate. */
function subset(schema: JsonObject): JsonObject {
  const ref = localName(schema["$ref"]);
  return ref === null ? plainSubset(schema) : { $ref: `#/$defs/${ref}` };
}

function plainSubset(schema: JsonObject): JsonObject {
  const { const: only, ...rest } = schema;
  const kept = withOnly(only === undefined ? rest : { ...rest, enum: [only] }, isKept);
  const inner = mapSubschemas(kept, subset);
  const { properties, required } = inner;
  const named = isJsonObject(properties) ? properties : {};
  const names = namesIn(required).filter((name) => Object.hasOwn(named, name));
  const isArray = [inner["type"]].flat().includes("array");
  return {
    ...inner,
    ...(required !== undefined && { required: names }),
    ...(isArray && inner["items"] === undefined && { items: {} }),
  };
}

const isKept = (keyword: string): boolean => KEPT.has(keyword);

/** `#/$defs/x` and the older `#/definitions/x`; a reference to anything else is told in words. */
const localName = (ref: unknown): string | null =>
  typeof ref === "string" ? (/^#\/(?:\$defs|definitions)\/([^/]+)$/.exec(ref)?.[1] ?? null) : null;
