import { quoted } from "../domain/visible.ts";
import type { Pattern } from "./pattern.ts";
import { type PatternError, patternError } from "./pattern-error.ts";
import { ANY_RUN, matchesWildcard } from "./wildcard.ts";

/** What other pattern languages give a meaning. Taken for itself it would match no tool, and a deny would be void. */
const FOREIGN = /[?[\]{}\\!\s\p{Cc}\p{Cs}]/u;

/** A pattern of tool names: `*` is any run of characters, all else is itself, in exactly this case. */
export function compileNamePattern(pattern: string): Pattern | PatternError {
  if (pattern === "") return patternError("a tool pattern is empty", "write `*` for every tool");
  const foreign = FOREIGN.exec(pattern)?.[0];
  if (foreign !== undefined) {
    return patternError(
      `the tool pattern ${quoted(pattern)} holds ${quoted(foreign)}, which is in no tool's name`,
      "only `*` has a meaning, it stands for any characters",
    );
  }
  if (!pattern.includes("*"))
    return { text: pattern, matches: (name) => name === pattern, head: [pattern], last: null };
  const wildcard = Array.from(pattern, (character) =>
    character === "*" ? ANY_RUN : (character.codePointAt(0) as number),
  );
  return { text: pattern, matches: (name) => matchesWildcard(wildcard, name, 0, name.length), head: [], last: null };
}
