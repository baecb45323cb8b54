import type { JsonValue } from "../../domain/json.ts";
import { isRequestId, type RequestId } from "../wire/request-id.ts";

/** More than a client has on their way at a time: what the SDK never answers is not remembered for ever. */
const IDS_MAX = 10_000;

/** The ids of calls that the SDK was handed and has not answered yet. */
export class RequestIds {
  readonly #ids = new Set<RequestId>();

  /** What is no request in the SDK's eyes is never answered by it. */
  add(message: JsonValue): void {
    const { jsonrpc, id } = message as Readonly<Record<string, unknown>>;
    if (jsonrpc !== "2.0" || !isRequestId(id)) return;
    const [oldest] = this.#ids;
    if (this.#ids.size >= IDS_MAX && oldest !== undefined) this.#ids.delete(oldest);
    this.#ids.add(id);
  }

  has(id: unknown): boolean {
    return this.#ids.has(id as RequestId);
  }

  delete(id: unknown): void {
    this.#ids.delete(id as RequestId);
  }
}
