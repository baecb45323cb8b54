import { isJsonObject, type JsonObject, type JsonValue } from "../../domain/json.ts";

/** Whether null may be good under a schema. Yes where that can't be told. */
export function acceptsNull(schema: JsonValue): boolean {
  if (!isJsonObject(schema)) return true;
  const { type, enum: values, const: only, anyOf } = schema;
  if (type !== undefined) return [type].flat().includes("null");
  if (Array.isArray(values)) return values.includes(null);
  if (only !== undefined) return only === null;
  return !Array.isArray(anyOf) || anyOf.some(acceptsNull);
}

/** The same schema, and null besides. */
export function nullable(schema: JsonObject): JsonObject {
  const { type, enum: values, anyOf, description } = schema;
  if (Array.isArray(anyOf)) return { ...schema, anyOf: [...anyOf, NULL] };
  if (type === "object") {
    const { description: _moved, ...rest } = schema;
    return { ...(description !== undefined && { description }), anyOf: [rest, NULL] };
  }
  const types = [type ?? []].flat();
  return { ...schema, type: [...types, "null"], ...(Array.isArray(values) && { enum: [...values, null] }) };
}

const NULL: JsonObject = { type: "null" };
