import { cutReason, type FoundCall, type FoundCalls, valueInput } from "../found-calls.ts";
import type { ResponsePart } from "../response-part.ts";

const CUT_SHORT: ReadonlySet<string> = new Set([
  "max_tokens",
  "model_context_window_exceeded",
  "guardrail_intervened",
  "content_filtered",
  "malformed_tool_use",
  "malformed_model_output",
]);

/** The `toolUse` blocks of the message. One of the provider's own tools (`server_tool_use`) was run there. */
export function bedrockCalls(response: ResponsePart): FoundCalls {
  const blocks = response.member("output").member("message").member("content").items();
  return {
    calls: blocks
      .map((block) => block.member("toolUse"))
      .filter((call) => !call.isAbsent && call.member("type").value !== "server_tool_use")
      .map(found),
    cutBy: cutReason(response.member("stopReason").value, CUT_SHORT),
  };
}

function found(call: ResponsePart): FoundCall {
  const input = call.member("input");
  return {
    id: call.member("toolUseId").optionalText(),
    name: call.member("name").text(),
    input: valueInput(input),
  };
}
