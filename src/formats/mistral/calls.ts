import { cutReason, type FoundCall, type FoundCalls, textInput } from "../found-calls.ts";
import type { ResponsePart } from "../response-part.ts";

const CUT_SHORT: ReadonlySet<string> = new Set(["length", "model_length", "error"]);

/** The tool calls of the first choice, as the wire spells it or as Mistral's own package does. */
export function mistralCalls(response: ResponsePart): FoundCalls {
  const [first] = response.member("choices").items();
  if (first === undefined) throw response.member("choices").fault("a list that is not empty");
  const message = first.member("message");
  const camel = message.member("toolCalls");
  const calls = camel.isAbsent ? message.member("tool_calls") : camel;
  const spelling = camel.isAbsent ? "snake_case" : "camelCase";
  const reason = first.member("finish_reason").value ?? first.member("finishReason").value;
  return {
    calls: calls.isAbsent ? [] : calls.items().map((call) => found(call, spelling)),
    cutBy: cutReason(reason, CUT_SHORT),
  };
}

function found(call: ResponsePart, spelling: "camelCase" | "snake_case"): FoundCall {
  const made = call.member("function");
  const given = made.member("arguments");
  const id = call.member("id").optionalText();
  return {
    // What the package writes where the server gave none.
    id: id === "null" ? null : id,
    name: made.member("name").text(),
    input: typeof given.value === "string" || given.isAbsent ? textInput(given) : { kind: "value", value: given.value },
    spelling,
  };
}
