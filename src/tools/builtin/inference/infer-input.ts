import { LIMITS } from "../../../domain/limits.ts";
import type { ModelProvider } from "../../../domain/model-provider.ts";
import type { InputError } from "../../../domain/outcome.ts";
import { quoted } from "../../../domain/visible.ts";
import { inputError, type Sound } from "../with-check.ts";

export type InferInput = {
  readonly provider: string;
  readonly model: string;
  readonly prompt?: string;
  readonly prompt_hash?: string;
  readonly system?: string;
  readonly system_prompt_hash?: string;
  readonly max_tokens?: number;
  readonly temperature?: number;
};

const HASH = { type: "string", pattern: "^[0-9a-f]{64}$" } as const;

/** Providers and models are in it, so that the tool is another one once they are others. */
export const inferSchema = (providers: readonly ModelProvider[]) => ({
  type: "object",
  properties: {
    provider: { enum: providers.map(({ name }) => name), description: "who is asked" },
    model: { enum: [...new Set(providers.flatMap(({ models }) => models))], description: "which of its models" },
    prompt: { type: "string", minLength: 1, description: "what it is asked" },
    prompt_hash: { ...HASH, description: "BLAKE3 of a prompt that you have stored, instead of the prompt" },
    system: { type: "string", minLength: 1, description: "what it is told beforehand" },
    system_prompt_hash: { ...HASH, description: "BLAKE3 of what it is told beforehand, if that is stored" },
    max_tokens: {
      type: "integer",
      minimum: LIMITS.tokens.minimum,
      maximum: LIMITS.tokens.maximum,
      description: `tokens that it may answer with, ${LIMITS.tokens.default} if not given`,
    },
    temperature: { type: "number", minimum: 0, description: "left out: the provider's own" },
  },
  required: ["provider", "model"],
  additionalProperties: false,
});

const PAIRS = [
  ["prompt", "prompt_hash"],
  ["system", "system_prompt_hash"],
] as const;

/** What the schema can't say. */
export function inferErrors(
  providers: readonly ModelProvider[],
  input: Sound<InferInput>,
  isSound: (name: keyof InferInput) => boolean,
): readonly InputError[] {
  const { provider, model } = input;
  const models = providers.find(({ name }) => name === provider)?.models;
  const isMissing = input.prompt === undefined && input.prompt_hash === undefined;
  return [
    ...(models !== undefined && model !== undefined && !models.includes(model)
      ? [inputError("model", "enum", `${quoted(provider ?? "")} has no model ${quoted(model)}`)]
      : []),
    ...(isMissing && isSound("prompt") && isSound("prompt_hash")
      ? [inputError("prompt", "required", "`prompt` or `prompt_hash` says what is asked")]
      : []),
    ...PAIRS.flatMap(([text, hash]) =>
      input[text] !== undefined && input[hash] !== undefined
        ? [inputError(hash, "mutually_exclusive", `\`${text}\` and \`${hash}\` can't be given together`)]
        : [],
    ),
  ];
}
