import type { JsonObject } from "./json.ts";
import type { ToolEffects, Trust } from "./tool-effects.ts";
import type { InputTouches } from "./upstream.ts";

/** A tool that a connected client runs itself, as the operator wrote it down: no connection brings a definition. */
export interface ClientToolSpec {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  /** How long its executor may take, from when it has said that it begins. */
  readonly timeoutMs: number;
  readonly effects: ToolEffects | null;
  readonly trust: Trust | null;
  /** Which inputs name files or hosts. */
  readonly touches: InputTouches;
  /** The input that names a program, and those with its arguments. Null = it starts none that rules should know of. */
  readonly exec: readonly string[] | null;
  /** For `toolgate executor`: the program that it starts and its arguments. Null = this is no tool of this executor. */
  readonly command: readonly [string, ...string[]] | null;
  /** For each word of the command, the letters that an input must not begin with there. */
  readonly unfitHeads: readonly string[];
}

/** An argument that stands for an input: the whole word, and nothing but it. */
export const inputSlot = (word: string): string | null => /^\{([A-Za-z_][\w.-]*)\}$/.exec(word)?.[1] ?? null;
