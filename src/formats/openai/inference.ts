import { isJsonObject } from "../../domain/json.ts";
import { countOrNull, type InferenceFormat, textOrNull } from "../inference-format.ts";

/** Chat completions. `limit`: what the limit of tokens is called; nobody takes both names. */
export const openaiInference = (limit: "max_completion_tokens" | "max_tokens"): InferenceFormat => ({
  path: "/chat/completions",
  headers: () => ({}),
  keyHeader: { name: "authorization", prefix: "Bearer " },
  body: ({ model, prompt, system, tokensMax, temperature }) => ({
    model,
    [limit]: tokensMax,
    messages: [...(system === null ? [] : [{ role: "system", content: system }]), { role: "user", content: prompt }],
    ...(temperature !== null && { temperature }),
  }),
  answer: (body) => {
    const { choices, usage } = body;
    const [first] = Array.isArray(choices) ? choices : [];
    const message = isJsonObject(first) ? first["message"] : undefined;
    if (!isJsonObject(first) || !isJsonObject(message)) return null;
    const told = isJsonObject(usage) ? usage : {};
    return {
      // What it refuses to answer it says elsewhere.
      text: textOrNull(message["content"]) ?? textOrNull(message["refusal"]) ?? "",
      model: textOrNull(body["model"]),
      stopReason: textOrNull(first["finish_reason"]),
      inputTokens: countOrNull(told["prompt_tokens"]),
      outputTokens: countOrNull(told["completion_tokens"]),
    };
  },
});
