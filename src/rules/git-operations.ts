import { GIT_OPERATIONS } from "../domain/git-operations.ts";
import { quoted } from "../domain/visible.ts";
import type { Pattern } from "./pattern.ts";
import { type PatternError, patternError } from "./pattern-error.ts";

const KNOWN: ReadonlySet<string> = new Set(GIT_OPERATIONS);

/** An operation of the `git` tool, or `*` for all. A name that is none would cover nothing, and a deny would be void. */
export function compileOperationPattern(pattern: string): Pattern | PatternError {
  if (pattern === "*") return { text: pattern, matches: () => true, head: [], last: null };
  if (KNOWN.has(pattern))
    return { text: pattern, matches: (operation) => operation === pattern, head: [pattern], last: null };
  return patternError(
    `${quoted(pattern)} is no operation of git`,
    `write \`*\` for all, or one of ${GIT_OPERATIONS.join(", ")}`,
  );
}
