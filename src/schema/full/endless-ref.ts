import { isJsonObject, type JsonObject, type JsonValue } from "../../domain/json.ts";
import { invalid, type SchemaProblem } from "../schema-problem.ts";
import { schemaAt } from "../schema-ref.ts";
import { heldSchemas, keywordNamed } from "./schema-keywords.ts";

/** Keywords whose schemas speak about the value itself and not about a part of it. */
const IN_PLACE = ["allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependentSchemas"];

/** A schema that comes back to itself for the same value has no meaning: `{"$ref": "#"}` says nothing for ever. */
export function endlessRef(root: JsonObject, schemas: Iterable<JsonObject>): SchemaProblem | null {
  const state = new Map<JsonObject, "open" | "done">();
  const isEndless = (schema: JsonValue): boolean => {
    if (!isJsonObject(schema) || state.get(schema) === "done") return false;
    if (state.get(schema) === "open") return true;
    state.set(schema, "open");
    if (inPlaceOf(schema, root).some(isEndless)) return true;
    state.set(schema, "done");
    return false;
  };
  for (const schema of schemas) if (isEndless(schema)) return invalid("a reference in it leads back to itself");
  return null;
}

function inPlaceOf(schema: JsonObject, root: JsonObject): readonly JsonValue[] {
  const inside = IN_PLACE.flatMap((name) => {
    const keyword = keywordNamed(name);
    if (keyword === undefined || !Object.hasOwn(schema, name)) return [];
    return [...heldSchemas(keyword, schema[name] as JsonValue)].map(([, held]) => held);
  });
  const { $ref } = schema;
  return typeof $ref === "string" ? [...inside, schemaAt(root, $ref) as JsonValue] : inside;
}
