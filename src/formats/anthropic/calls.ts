import { cutReason, type FoundCalls, valueInput } from "../found-calls.ts";
import type { ResponsePart } from "../response-part.ts";

const CUT_SHORT: ReadonlySet<string> = new Set(["max_tokens", "model_context_window_exceeded", "refusal"]);

/** The `tool_use` blocks of a message. Those of the provider's own tools (`server_tool_use`) were run there. */
export function anthropicCalls(response: ResponsePart): FoundCalls {
  const blocks = response.member("content").items();
  return {
    calls: blocks
      .filter((block) => block.member("type").text() === "tool_use")
      .map((block) => {
        const input = block.member("input");
        return {
          id: block.member("id").optionalText(),
          name: block.member("name").text(),
          input: valueInput(input),
        };
      }),
    cutBy: cutReason(response.member("stop_reason").value, CUT_SHORT),
  };
}
