import { isJsonObject, type JsonObject, type JsonValue } from "../../domain/json.ts";
import { isAnnotation } from "../annotations.ts";
import { schemaAt } from "../schema-ref.ts";
import { keywordNamed } from "./schema-keywords.ts";

/** The keyword of ours that counts steps. */
export const STEP = "step";

/**
 * An inspected schema as Ajv gets it: without annotations, each schema counting a step, and each
 * reference by a name of ours, so that Ajv resolves to what was inspected.
 */
export function prepareSchema(root: JsonObject): JsonObject {
  const names = new Map<string, string>();
  const nameOf = (ref: string): string => {
    const name = names.get(ref) ?? `r${names.size}`;
    names.set(ref, name);
    return `#/$defs/${name}`;
  };
  const prepared = preparedFrom(root, nameOf);
  const $defs: Record<string, JsonValue> = {};
  // A Map's loop goes on over what is added meanwhile: references inside what is referred to.
  for (const [ref, name] of names) $defs[name] = preparedFrom(schemaAt(root, ref) as JsonValue, nameOf);
  return { ...(prepared as JsonObject), $defs };
}

function preparedFrom(schema: JsonValue, nameOf: (ref: string) => string): JsonValue {
  if (!isJsonObject(schema)) return schema;
  const kept = Object.entries(schema).filter(([name]) => hasMeaning(name));
  if (kept.length === 0) return {};
  const keywords = kept.map(([name, given]) => [name, preparedKeyword(name, given, nameOf)] as const);
  return { [STEP]: true, ...Object.fromEntries(keywords) };
}

/** Definitions come in through the references to them. */
const hasMeaning = (name: string): boolean => name !== "$defs" && name !== "definitions" && !isAnnotation(name);

function preparedKeyword(name: string, given: JsonValue, nameOf: (ref: string) => string): JsonValue {
  if (name === "$ref") return nameOf(given as string);
  switch (keywordNamed(name)?.holds) {
    case "schema":
      return preparedFrom(given, nameOf);
    case "schemas":
      return (given as readonly JsonValue[]).map((schema) => preparedFrom(schema, nameOf));
    case "named schemas":
      return Object.fromEntries(
        Object.entries(given as JsonObject).map(([key, schema]) => [key, preparedFrom(schema, nameOf)]),
      );
    default:
      return given;
  }
}
