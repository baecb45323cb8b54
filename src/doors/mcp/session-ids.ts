import type { Transport } from "@modelcontextprotocol/server";
import { isJsonObject, type JsonObject, type JsonValue } from "../../domain/json.ts";
import { isRequestId, type RequestId, TAKEN } from "../wire/request-id.ts";
import { RequestIds } from "./request-ids.ts";

/**
 * The requests of a session of 2025 that are on their way. INVARIANT (made once): two under one id can't be told apart, and only one of
 * them would be answered and could be taken back, so there are never two.
 */
export class SessionIds {
  readonly #ids = new RequestIds();

  /** To be made before the SDK connects. */
  constructor(transport: Transport) {
    const send = transport.send.bind(transport);
    transport.send = (message, options) => {
      if (!("method" in message) && "id" in message) this.#ids.delete(message.id);
      return send(message, options);
    };
  }

  /** The ids that a body brings; a response where it must not come in. */
  take(body: JsonValue | undefined): readonly RequestId[] | Response {
    const requests = messagesIn(body).filter(({ id, method }) => typeof method === "string" && isRequestId(id));
    const ids = requests.map(({ id }) => id as RequestId);
    const taken = ids.find((id, at) => this.#ids.has(id) || ids.indexOf(id) !== at);
    if (taken !== undefined) return Response.json({ jsonrpc: "2.0", error: TAKEN, id: taken }, { status: 400 });
    for (const request of requests) this.#ids.add(request);
    return ids;
  }

  /** The SDK has taken the body. Who has taken a request back is sent no answer; what the SDK refuses takes nothing back. */
  taken(body: JsonValue | undefined): void {
    for (const { id, method, params = null } of messagesIn(body))
      if (method === "notifications/cancelled" && id === undefined && isJsonObject(params))
        this.#ids.delete(params["requestId"]);
  }

  /** They came to nothing. */
  release(ids: readonly RequestId[]): void {
    for (const id of ids) this.#ids.delete(id);
  }
}

const messagesIn = (body: JsonValue | undefined): readonly JsonObject[] =>
  (Array.isArray(body) ? body : [body]).filter((one) => one !== undefined && isJsonObject(one));
