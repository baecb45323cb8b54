import { isJsonObject, type JsonObject, type JsonValue } from "../../domain/json.ts";

/** A `tools/call` with nothing in it that a protocol library has to look after. */
export interface PlainCall {
  readonly id: string | number;
  readonly name: string;
  readonly input: JsonObject;
  /** What the request says of its client, word for word; empty where it says nothing. */
  readonly meta: string;
}

const MESSAGE: ReadonlySet<string> = new Set(["jsonrpc", "id", "method", "params"]);
const PARAMS: ReadonlySet<string> = new Set(["name", "arguments", "_meta"]);

/** Null: it is another message, or there is more to it: rounds of questions, progress, tasks, whatever comes next. */
export function plainCall(message: JsonValue | undefined): PlainCall | null {
  if (message === undefined || !isJsonObject(message) || !hasOnly(message, MESSAGE)) return null;
  const { jsonrpc, id, method, params } = message;
  if (jsonrpc !== "2.0" || method !== "tools/call" || !isId(id) || params === undefined) return null;
  if (!isJsonObject(params) || !hasOnly(params, PARAMS)) return null;
  const { name, arguments: input = {}, _meta: meta } = params;
  // The SDK leaves a `__proto__` of the arguments out, so whoever sends one is always answered by it.
  if (typeof name !== "string" || !isJsonObject(input) || Object.hasOwn(input, "__proto__")) return null;
  if (meta === undefined) return { id, name, input, meta: "" };
  // A trace is another one each time, and is followed where the SDK hands the call on.
  return isJsonObject(meta) && meta["progressToken"] === undefined && meta["traceparent"] === undefined
    ? { id, name, input, meta: JSON.stringify(meta) }
    : null;
}

const isId = (id: JsonValue | undefined): id is string | number => typeof id === "string" || Number.isSafeInteger(id);

function hasOnly(object: JsonObject, names: ReadonlySet<string>): boolean {
  for (const name in object) if (!names.has(name)) return false;
  return true;
}
