import type { JsonObject } from "../domain/json.ts";
import { LIMITS } from "../domain/limits.ts";
import { INFERENCE_WIRES, type InferenceWire } from "../domain/model-provider.ts";
import { secretKey } from "./schema-parts.ts";

/** One provider under `tools.inference.providers`. */
export const PROVIDER_SCHEMA = {
  type: "object",
  required: ["wire", "models"],
  additionalProperties: false,
  properties: {
    wire: { description: "What is spoken to it.", enum: INFERENCE_WIRES },
    url: {
      description:
        "Where it is: what stands before `/v1/messages` of `anthropic` and `/chat/completions` of the others. Left out: the provider's own; `openai-compatible` needs it.",
      type: "string",
      minLength: 1,
      maxLength: 2000,
      "x-unit": "codepoints",
      "x-because": "no service has a longer address",
    },
    models: {
      description: "Which of its models may be asked, by their exact names. No other is sent to it.",
      type: "array",
      minItems: 1,
      maxItems: LIMITS.inferenceModels.maximum,
      "x-unit": "count",
      "x-because": LIMITS.inferenceModels.because,
      items: {
        type: "string",
        minLength: 1,
        maxLength: LIMITS.idLength.maximum,
        "x-unit": "codepoints",
        "x-because": LIMITS.idLength.because,
      },
    },
    key: secretKey("Its key, which is sent to this provider only. `anthropic` and `openai` need one."),
    timeoutMs: {
      description: "How long an answer may take.",
      type: "integer",
      default: LIMITS.inferenceMs.default,
      minimum: LIMITS.inferenceMs.minimum,
      maximum: LIMITS.inferenceMs.maximum,
      "x-unit": "ms",
      "x-because": LIMITS.inferenceMs.because,
    },
  },
} as const satisfies JsonObject;

export interface RawProvider {
  readonly wire: InferenceWire;
  readonly url?: string;
  readonly models: readonly [string, ...string[]];
  readonly key?: { readonly secret: string };
  readonly timeoutMs?: number;
}

/** `tools.inference`. */
export const INFERENCE = {
  description: "What the set `inference` needs. `docs/guide/inference.md` tells of it.",
  type: "object",
  additionalProperties: false,
  properties: {
    providers: {
      description: "Who can be asked, by name. Without any there is no `infer`.",
      type: "object",
      "x-map": true,
      "x-each": PROVIDER_SCHEMA,
    },
  },
} as const satisfies JsonObject;
