import type { Containment } from "./containment.ts";
import type { JsonObject } from "./json.ts";
import type { Content, Failure, InputError, Truncation } from "./outcome.ts";
import type { ToolEffects, Trust } from "./tool-effects.ts";

export type ToolSource = "builtin" | "script" | "atip" | "function" | "mcp" | "client" | "a2a";

/** What a tool says of itself. Shown to models, pinned by its digest. */
export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  readonly source: ToolSource;
  readonly containment: Containment;
  readonly inputSchema: JsonObject;
  /** What `structured` of its results is like. Left out = nobody says. */
  readonly outputSchema?: JsonObject;
  readonly timeoutMs: number;
  /** What running it does. Left out = unknown. */
  readonly effects?: ToolEffects;
  /** For people, and for agents that look for one. */
  readonly about?: ToolAbout;
  /** Left out = the lowest. Built-in tools are `native`, and no others. */
  readonly trust?: Trust;
}

export interface ToolAbout {
  readonly title: string;
  /** Who wrote it, as it says itself. */
  readonly author?: string;
  readonly tags: readonly string[];
  readonly examples: readonly string[];
  readonly version: string;
}

/** Texts that stand for numbers and booleans as those; the same object where there are none. */
export type InputCoercion = (input: JsonObject) => JsonObject;

export type InputCheck = (input: JsonObject) => readonly InputError[];

/** What a runner says while it works. Live only: never recorded. */
export interface Progress {
  readonly message: string;
  readonly done?: number;
  readonly total?: number;
  /** Of a program: where it said it. */
  readonly from?: "stdout" | "stderr";
}

/** What a model was used for. What is left out counts as the most that it could have been. */
export interface Usage {
  readonly tokens?: number;
  /** What it was told and what it answered, where both are known. */
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  /** In millionths of the currency that budgets count in. */
  readonly costMicros?: number;
}

/** Nobody was asked anything. */
export const NOTHING_USED: Usage = { tokens: 0, inputTokens: 0, outputTokens: 0, costMicros: 0 };

/** The most that one call of a tool uses of models. */
export interface UsageMax {
  readonly tokens: number;
  readonly costMicros: number;
}

/** How a run ended, as far as the runner can tell. */
export type RunResult =
  | {
      readonly kind: "completed";
      readonly content: readonly Content[];
      readonly structured?: JsonObject;
      readonly exitCode?: number;
      readonly usage?: Usage;
      /** It is what an earlier call gave, and nothing ran. */
      readonly cached?: true;
      /** The content is not all that there was, and where that is kept. */
      readonly truncated?: Truncation;
    }
  | {
      readonly kind: "failed";
      readonly error: Failure;
      readonly content: readonly Content[];
      readonly usage?: Usage;
      readonly truncated?: Truncation;
    }
  /** What was begun is out of reach, on another machine: whether it happened, nobody here knows. */
  | { readonly kind: "lost" }
  /** The runner was told to stop, and proves by saying so that nothing of it goes on. */
  | {
      readonly kind: "stopped";
      readonly usage?: Usage;
      readonly content?: readonly Content[];
      readonly truncated?: Truncation;
      /** What there is to say of it if it was stopped because of the time. */
      readonly late?: Pick<Failure, "retryable" | "detail" | "mapped" | "diagnostics">;
    };

/** An async stream of progress that ends in one result; a runner that has nothing to tell on the way gives just that. */
export type Run = AsyncIterator<Progress, RunResult, void> | Promise<RunResult> | RunResult;
