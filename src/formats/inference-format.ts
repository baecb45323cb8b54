import type { JsonObject, JsonValue } from "../domain/json.ts";

/** What a model is asked. */
export interface Question {
  readonly model: string;
  readonly prompt: string;
  readonly system: string | null;
  readonly tokensMax: number;
  /** Null = the provider's own. */
  readonly temperature: number | null;
}

/** What it answered. Tokens are null where the provider does not tell them. */
export interface Inferred {
  readonly text: string;
  /** The model's own name for itself, and why it stopped, as the provider says it. */
  readonly model: string | null;
  readonly stopReason: string | null;
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
}

/** How one kind of provider is asked for one answer, without tools and in one piece. */
export interface InferenceFormat {
  /** Behind the provider's address. */
  readonly path: string;
  readonly headers: (question: Question) => Readonly<Record<string, string>>;
  readonly keyHeader: { readonly name: string; readonly prefix: string };
  readonly body: (question: Question) => JsonObject;
  /** Null = it is no such answer. */
  readonly answer: (body: JsonObject) => Inferred | null;
}

export const textOrNull = (value: JsonValue | undefined): string | null => (typeof value === "string" ? value : null);

/** What is no count was not told. */
export const countOrNull = (value: JsonValue | undefined): number | null =>
  Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : null;
