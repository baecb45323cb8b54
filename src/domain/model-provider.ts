import type { Secret } from "./secret.ts";

/** What is spoken to a provider of models. `openai-compatible` is what others say who speak like OpenAI did before it renamed its limit of tokens. */
export const INFERENCE_WIRES = ["anthropic", "openai", "openai-compatible"] as const;

export type InferenceWire = (typeof INFERENCE_WIRES)[number];

/** Who is asked, as the configuration says it. */
export interface ModelProvider {
  readonly name: string;
  readonly wire: InferenceWire;
  /** Without a `/` at its end. */
  readonly url: string;
  readonly models: readonly [string, ...string[]];
  readonly key: Secret | null;
  readonly timeoutMs: number;
}
