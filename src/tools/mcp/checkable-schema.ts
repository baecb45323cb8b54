import { isJsonObject, type JsonObject, type JsonValue } from "../../domain/json.ts";
import { keywordNamed } from "../../schema/full/schema-keywords.ts";

/**
 * What of an upstream's schema the gate checks. Words that it does not know (`$anchor`, `x-…`) are no mistake of ours to
 * refuse: they are shown to models as they stand, and the upstream sees to them itself.
 */
export function checkableSchema(schema: JsonObject): JsonObject {
  const kept: Record<string, JsonValue> = {};
  for (const [name, value] of Object.entries(schema)) {
    const keyword = keywordNamed(name);
    if (keyword !== undefined) kept[name] = keyword.holds === "value" ? value : checkableParts(keyword.holds, value);
  }
  return kept;
}

function checkableParts(holds: "schema" | "schemas" | "named schemas", value: JsonValue): JsonValue {
  if (holds === "schema") return isJsonObject(value) ? checkableSchema(value) : value;
  if (Array.isArray(value)) return value.map((one) => checkableParts("schema", one));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, checkableParts("schema", one)]));
}
