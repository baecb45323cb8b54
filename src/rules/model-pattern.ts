import type { Touch } from "../domain/touch.ts";
import { quoted } from "../domain/visible.ts";
import { compileNamePattern } from "./name-pattern.ts";
import type { Pattern } from "./pattern.ts";
import { type PatternError, patternError } from "./pattern-error.ts";

/** What patterns of models match. */
export const modelText = ({ provider, model }: Extract<Touch, { kind: "model" }>): string => `${provider}/${model}`;

/** `provider/model`; `*` is any run of characters. A model's name alone would match nothing, and a deny of it would be void. */
export function compileModelPattern(pattern: string): Pattern | PatternError {
  const slash = pattern.indexOf("/");
  const isWhole = slash === -1 ? pattern.startsWith("*") : slash > 0 && slash < pattern.length - 1;
  if (isWhole) return compileNamePattern(pattern);
  return patternError(
    `the pattern ${quoted(pattern)} is not a provider and a model`,
    "write `anthropic/claude-*`, or `*` for every model",
  );
}
