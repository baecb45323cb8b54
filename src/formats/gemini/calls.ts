import { cutReason, type FoundCall, type FoundCalls } from "../found-calls.ts";
import type { ResponsePart } from "../response-part.ts";

const CUT_SHORT: ReadonlySet<string> = new Set([
  "MAX_TOKENS",
  "SAFETY",
  "RECITATION",
  "BLOCKLIST",
  "PROHIBITED_CONTENT",
  "SPII",
  "MALFORMED_FUNCTION_CALL",
  "OTHER",
]);
const NONE: FoundCalls = { calls: [], cutBy: null };

/** The `functionCall` parts of the first candidate. A prompt that was blocked has no candidates. */
export function geminiCalls(response: ResponsePart): FoundCalls {
  const candidates = response.member("candidates");
  const isBlocked = !response.member("promptFeedback").isAbsent;
  const [first] = candidates.isAbsent && isBlocked ? [] : candidates.items();
  if (first === undefined) return NONE;
  const content = first.member("content");
  const parts = content.isAbsent ? content : content.member("parts");
  return {
    calls: (parts.isAbsent ? [] : parts.items())
      .map((part) => part.member("functionCall"))
      .filter((call) => !call.isAbsent)
      .map(found),
    cutBy: cutReason(first.member("finishReason").value, CUT_SHORT),
  };
}

function found(call: ResponsePart): FoundCall {
  const { value = {} } = call.member("args");
  const isPartial = call.member("willContinue").value === true || !call.member("partialArgs").isAbsent;
  return {
    id: call.member("id").optionalText(),
    name: call.member("name").text(),
    input: isPartial ? NOT_WHOLE : { kind: "value", value: value ?? {} },
  };
}

const NOT_WHOLE = { kind: "unusable", because: "only a part of the call has arrived" } as const;
