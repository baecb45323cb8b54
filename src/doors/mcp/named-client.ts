import { isJsonObject, type JsonValue } from "../../domain/json.ts";

/**
 * The handshake of the Zed seed does not say who its client is. MCP wants to know; it is a name and no more, and nothing is
 * decided by it. What is no such handshake comes back as it is.
 */
export function namedClient(message: JsonValue): JsonValue {
  if (!isJsonObject(message) || message["method"] !== "initialize") return message;
  const { params } = message;
  if (!isJsonObject(params) || params["clientInfo"] !== undefined) return message;
  return { ...message, params: { ...params, clientInfo: { name: "unnamed", version: "0" } } };
}
