import { isJsonObject, type JsonObject, type JsonValue } from "../../domain/json.ts";

/** More than an agent tells of in a turn; of older ones nothing is asked any more. */
const KEPT_MAX = 1000;
const FIELDS = ["toolCallId", "title", "kind", "status", "content", "locations", "rawInput", "rawOutput"] as const;

/** What an agent has told of its tool calls: it says a part at a time, and some say the input only once. */
export class ToolCalls {
  readonly #calls = new Map<string, JsonObject>();

  /** The call as far as it is known with this. Null: it has no id. */
  learn(update: JsonValue | undefined): JsonObject | null {
    if (!isJsonObject(update) || typeof update["toolCallId"] !== "string") return null;
    const { toolCallId } = update;
    const said = Object.fromEntries(
      FIELDS.flatMap((name) => (update[name] === undefined || update[name] === null ? [] : [[name, update[name]]])),
    ) as JsonObject;
    const call = { ...this.#calls.get(toolCallId), ...said };
    this.#calls.delete(toolCallId);
    this.#calls.set(toolCallId, call);
    const [oldest] = this.#calls.keys();
    if (this.#calls.size > KEPT_MAX && oldest !== undefined) this.#calls.delete(oldest);
    return call;
  }
}
