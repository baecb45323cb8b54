import type { JsonObject, JsonValue } from "../../domain/json.ts";
import { eventStream } from "../wire/event-stream.ts";
import { keyIn } from "../wire/idempotency-key.ts";
import { onceClosed } from "../wire/once-closed.ts";
import { ownOrigin } from "../wire/own-origin.ts";
import { headersOf } from "../wire/request-headers.ts";
import type { DoorParts, ServerContext } from "../wire/server-env.ts";
import type { A2aError } from "./a2a-error.ts";
import type { Answer, Asked } from "./operation.ts";
import { OPERATIONS, type OperationName } from "./operations.ts";

/** What differs between JSON-RPC and HTTP+JSON: how an answer is wrapped. */
export interface Binding {
  readonly ok: (result: JsonObject) => Response;
  readonly item: (item: JsonObject) => JsonObject;
  readonly error: (error: A2aError) => Response;
}

/** Makes the request and sends its answer. */
export async function answered(
  name: OperationName,
  params: JsonValue,
  context: ServerContext,
  parts: DoorParts,
  binding: Binding,
): Promise<Response> {
  const stop = new AbortController();
  const { outgoing } = context.env;
  onceClosed(outgoing, () => stop.abort());
  const gone = AbortSignal.any([stop.signal, parts.stopping]);
  const origin = ownOrigin(context, parts);
  const key = keyIn(headersOf(context.env.incoming));
  const asked: Asked = { params, identity: context.get("identity"), parts, origin, key, gone };
  const answer: Answer = await OPERATIONS[name](asked);
  switch (answer.kind) {
    case "result":
      return binding.ok(answer.result);
    case "error":
      return binding.error(answer.error);
    case "gone":
      return answer.response;
    case "stream":
      return eventStream(texts(answer.items, binding), {
        ...parts.times,
        isStuck: () => outgoing.writableLength > 0,
        cut: () => outgoing.destroy(),
      });
    default:
      return answer satisfies never;
  }
}

/** JSON holds no line end, so no tool's output can begin an event of its own. */
async function* texts(
  items: AsyncGenerator<JsonObject, void, void>,
  { item: wrapped }: Binding,
): AsyncGenerator<string, void, void> {
  for await (const item of items) yield `data: ${JSON.stringify(wrapped(item))}\n\n`;
}
