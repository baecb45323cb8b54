import { isJsonObject, type JsonObject, type JsonValue } from "../../src/domain/json.ts";

const REF = "#/components/schemas/";

/** TypeScript for what a schema of our own OpenAPI document lets through; `named` is told whom it refers to. */
export function typeFromSchema(schema: JsonValue | undefined, named: (name: string) => void): string {
  if (!isJsonObject(schema)) return "unknown";
  const { $ref, type } = schema;
  if (typeof $ref === "string") {
    const name = $ref.slice(REF.length);
    named(name);
    return name;
  }
  if ("const" in schema) return JSON.stringify(schema["const"]);
  if (Array.isArray(schema["enum"])) return schema["enum"].map((value) => JSON.stringify(value)).join(" | ");
  if (Array.isArray(type)) return type.map((one) => typeFromSchema({ ...schema, type: one }, named)).join(" | ");
  switch (type) {
    case "object":
      return objectType(schema, named);
    case "array":
      return `readonly ${grouped(typeFromSchema(schema["items"], named))}[]`;
    case "integer":
    case "number":
      return "number";
    case "string":
    case "boolean":
    case "null":
      return type;
    default:
      return "unknown";
  }
}

const grouped = (type: string): string => (type.includes("|") ? `(${type})` : type);

function objectType(schema: JsonObject, named: (name: string) => void): string {
  const properties = Object.entries((schema["properties"] ?? {}) as Readonly<Record<string, JsonValue>>);
  if (properties.length === 0) return "Readonly<Record<string, unknown>>";
  const required = new Set((schema["required"] ?? []) as readonly string[]);
  const members = properties.map(([name, of]) => member(name, of, required.has(name), named));
  return `{ ${members.join(" ")} }`;
}

/** A member, with what the document says of it. */
export function member(name: string, schema: JsonValue, isRequired: boolean, named: (name: string) => void): string {
  const said = isJsonObject(schema) && typeof schema["description"] === "string" ? schema["description"] : null;
  const comment = said === null ? "" : `/** ${said.replaceAll("*/", "* /")} */\n`;
  const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
  return `${comment}readonly ${key}${isRequired ? "" : "?"}: ${typeFromSchema(schema, named)};`;
}
