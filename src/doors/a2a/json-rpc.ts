import { isJsonObject, type JsonValue } from "../../domain/json.ts";
import { quoted } from "../../domain/visible.ts";
import type { DoorParts, ServerContext } from "../wire/server-env.ts";
import { A2A_ERRORS, type A2aError, detailsOf, headersOfError } from "./a2a-error.ts";
import { answered, type Binding } from "./binding.ts";
import { isOperation } from "./operations.ts";
import { readRequest, wrongVersion } from "./read-request.ts";

type Id = string | number | null;

/** One request of JSON-RPC, and its one answer. */
export async function answerJsonRpc(context: ServerContext, parts: DoorParts): Promise<Response> {
  const read = await readRequest(context);
  if (!read.ok) return bindingFor(null).error(read.error);
  const { value } = read;
  const id = idOf(value);
  const binding = bindingFor(id ?? null);
  if (id === undefined || !isJsonObject(value) || value["jsonrpc"] !== "2.0") return binding.error(NO_REQUEST);
  const refused = wrongVersion(context);
  if (refused !== null) return binding.error(refused);
  const { method, params = {} } = value;
  if (typeof method !== "string") return binding.error(NO_REQUEST);
  if (!isOperation(method))
    return binding.error({ reason: "METHOD_NOT_FOUND", message: `no method is called ${quoted(method)}` });
  return await answered(method, params, context, parts, binding);
}

/** Undefined: it is none, and without one nobody could be answered. */
function idOf(value: JsonValue): Id | undefined {
  const id = isJsonObject(value) ? value["id"] : undefined;
  return id === null || typeof id === "string" || typeof id === "number" ? id : undefined;
}

const NO_REQUEST: A2aError = {
  reason: "INVALID_REQUEST",
  message: "the body has to be one request of JSON-RPC 2.0, with an `id`",
};

const bindingFor = (id: Id): Binding => ({
  ok: (result) => Response.json({ jsonrpc: "2.0", id, result }),
  item: (result) => ({ jsonrpc: "2.0", id, result }),
  error: (error) => {
    const facts = A2A_ERRORS[error.reason];
    const { code } = facts;
    const body = { jsonrpc: "2.0", id, error: { code, message: error.message, data: detailsOf(error) } };
    return Response.json(body, { status: "isOfHttp" in facts ? facts.status : 200, headers: headersOfError(error) });
  },
});
