import type { Limit } from "./limit.ts";

/** Hard limits of asking a model. */
export const INFERENCE_LIMITS = {
  inferenceMs: {
    unit: "ms",
    default: 120_000,
    minimum: 1000,
    maximum: 1_800_000,
    because: "long answers of large models take minutes; after half an hour nobody waits for one any more",
  },
  promptBytes: {
    unit: "bytes",
    default: 4 * 1024 * 1024,
    minimum: 1,
    maximum: 4 * 1024 * 1024,
    because: "about a million tokens, which is as much as a model reads",
  },
  inferenceAnswerBytes: {
    unit: "bytes",
    default: 16 * 1024 * 1024,
    minimum: 1024,
    maximum: 16 * 1024 * 1024,
    because: "a million tokens of text as JSON, held in memory",
  },
  inferenceProviders: {
    unit: "count",
    default: 20,
    minimum: 0,
    maximum: 20,
    because: "all of them stand in the tool's description",
  },
  inferenceModels: {
    unit: "count",
    default: 100,
    minimum: 1,
    maximum: 100,
    because: "of one provider; who is offered more finds none",
  },
} as const satisfies Record<string, Limit>;
