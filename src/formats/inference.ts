import type { JsonObject, JsonValue } from "../domain/json.ts";
import { isJsonObject } from "../domain/json.ts";
import type { InferenceWire } from "../domain/model-provider.ts";
import { ANTHROPIC_INFERENCE } from "./anthropic/inference.ts";
import type { InferenceFormat } from "./inference-format.ts";
import { openaiInference } from "./openai/inference.ts";

export const INFERENCE_FORMATS: Readonly<Record<InferenceWire, InferenceFormat>> = {
  anthropic: ANTHROPIC_INFERENCE,
  openai: openaiInference("max_completion_tokens"),
  "openai-compatible": openaiInference("max_tokens"),
};

/** What a provider says of its refusal, in all of these formats; null = nothing that can be read. */
export function refusalIn(answer: JsonValue | undefined): string | null {
  const error = answer !== undefined && isJsonObject(answer) ? answer["error"] : undefined;
  const message = typeof error === "string" ? error : ((error as JsonObject | undefined)?.["message"] ?? null);
  return typeof message === "string" && message !== "" ? message : null;
}
