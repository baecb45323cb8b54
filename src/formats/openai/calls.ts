import { cutReason, type FoundCall, type FoundCalls, textInput } from "../found-calls.ts";
import type { ResponsePart } from "../response-part.ts";

const CUT_SHORT: ReadonlySet<string> = new Set(["length", "content_filter"]);

/** The `tool_calls` of the first choice; those of other choices are never made. */
export function openAiCalls(response: ResponsePart): FoundCalls {
  const [first] = response.member("choices").items();
  if (first === undefined) throw response.member("choices").fault("a list that is not empty");
  const calls = first.member("message").member("tool_calls");
  return {
    calls: calls.isAbsent ? [] : calls.items().map(found),
    cutBy: cutReason(first.member("finish_reason").value, CUT_SHORT),
  };
}

function found(call: ResponsePart): FoundCall {
  const id = call.member("id").optionalText();
  const custom = call.member("custom");
  // Answered all the same: a call without a result makes the next request a bad one.
  if (!custom.isAbsent) return { id, name: custom.member("name").text(), input: NOT_A_FUNCTION };
  const made = call.member("function");
  return {
    id,
    name: made.member("name").text(),
    input: textInput(made.member("arguments")),
  };
}

const NOT_A_FUNCTION = { kind: "unusable", because: "this is not one of the functions that you were given" } as const;
