import { isJsonObject, type JsonObject, type JsonValue } from "../../domain/json.ts";
import { countOrNull, type InferenceFormat, textOrNull } from "../inference-format.ts";

/**
 * Messages. The version of 2026-10-21 takes no `temperature` any more, whichever its value; the one before still does, for the
 * models that have one.
 */
export const ANTHROPIC_INFERENCE: InferenceFormat = {
  path: "/v1/messages",
  headers: ({ temperature }) => ({ "anthropic-version": temperature === null ? "2026-10-21" : "2023-06-01" }),
  keyHeader: { name: "x-api-key", prefix: "" },
  body: ({ model, prompt, system, tokensMax, temperature }) => ({
    model,
    max_tokens: tokensMax,
    ...(system !== null && { system }),
    messages: [{ role: "user", content: prompt }],
    ...(temperature !== null && { temperature }),
  }),
  answer: (body) => {
    const { content, usage } = body;
    if (body["type"] !== "message" || !Array.isArray(content)) return null;
    return {
      text: content.map(textOf).join(""),
      model: textOrNull(body["model"]),
      stopReason: textOrNull(body["stop_reason"]),
      inputTokens: inputTokens(isJsonObject(usage) ? usage : {}),
      outputTokens: countOrNull(isJsonObject(usage) ? usage["output_tokens"] : undefined),
    };
  },
};

/** Other blocks (thinking) are not the answer. */
const textOf = (block: JsonValue): string =>
  isJsonObject(block) && block["type"] === "text" ? (textOrNull(block["text"]) ?? "") : "";

/** Those that were read from a cache or written to one are told beside the others, and only where there are some. */
function inputTokens(usage: JsonObject): number | null {
  const read = countOrNull(usage["input_tokens"]);
  if (read === null) return null;
  return ["cache_creation_input_tokens", "cache_read_input_tokens"].reduce(
    (sum, name) => sum + (countOrNull(usage[name]) ?? 0),
    read,
  );
}
