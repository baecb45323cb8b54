import { isJsonObject, type JsonValue } from "../../domain/json.ts";

/** RFC 9110, section 5.1. */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,64}$/;

/** What is wrong with the headers that a schema asks for (`x-mcp-header`), and where. Null: nothing. */
export function headerProblem(schema: JsonValue): string | null {
  const seen = new Set<string>();
  for (const [place, name] of headersIn(schema, "")) {
    if (typeof name !== "string" || !TOKEN.test(name)) return `\`x-mcp-header\` at \`${place}\` is no name of a header`;
    if (seen.has(name.toLowerCase())) return `\`x-mcp-header\` at \`${place}\` names a header that another one names`;
    seen.add(name.toLowerCase());
  }
  return null;
}

function* headersIn(schema: JsonValue | undefined, place: string): Generator<readonly [string, JsonValue]> {
  const properties = isJsonObject(schema) ? schema["properties"] : undefined;
  for (const [name, property] of Object.entries(isJsonObject(properties) ? properties : {})) {
    const here = `${place}/properties/${name}`;
    if (isJsonObject(property) && property["x-mcp-header"] !== undefined) yield [here, property["x-mcp-header"]];
    yield* headersIn(property, here);
  }
}
