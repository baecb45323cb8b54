import { type FoundCall, type FoundCalls, textInput } from "../found-calls.ts";
import type { ResponsePart } from "../response-part.ts";

/** The `function_call` items of a response. Its other calls are of tools that the provider runs. */
export function responsesCalls(response: ResponsePart): FoundCalls {
  const items = response.member("output").items();
  const isIncomplete = response.member("status").value === "incomplete";
  return {
    calls: items.filter((item) => item.member("type").text() === "function_call").map(found),
    cutBy: isIncomplete ? "incomplete" : null,
  };
}

function found(item: ResponsePart): FoundCall {
  const namespace = item.member("namespace").optionalText();
  const name = item.member("name").text();
  return {
    // `call_id` is what a result names; `id` is the item's own.
    id: item.member("call_id").optionalText(),
    // We offer no namespace, so a function in one is none of ours.
    name: namespace === null ? name : `${namespace}.${name}`,
    input: item.member("status").value === "incomplete" ? NOT_WHOLE : textInput(item.member("arguments")),
  };
}

const NOT_WHOLE = { kind: "unusable", because: "your call was cut off; make it again" } as const;
