import { type PatternError, patternError } from "./pattern-error.ts";
import { ANY_ONE, ANY_RUN, matchesWildcard, type Wildcard } from "./wildcard.ts";

/** Any number of components, also none. */
export const ANY_DEPTH = "any depth";

/** One part of a path pattern between slashes: exactly this text, or a wildcard, or any depth. */
export type PathComponent = { readonly literal: string } | { readonly wildcard: Wildcard } | typeof ANY_DEPTH;

/** With a meaning of their own, or with one in other pattern languages; a backslash before one makes it itself. */
const SPECIAL = new Set("*?[]{}\\");

const MEANINGS: ReadonlyMap<string, number> = new Map([
  ["*", ANY_RUN],
  ["?", ANY_ONE],
]);

/** Taken for themselves these would match nothing that was meant, and a deny would be void: so they are refused. */
const FOREIGN: ReadonlyMap<string, string> = new Map([
  ["[", "use `?` for one character, or write `\\[` for the character itself"],
  ["]", "use `?` for one character, or write `\\]` for the character itself"],
  ["{", "write one pattern for each alternative, or `\\{` for the character itself"],
  ["}", "write one pattern for each alternative, or `\\}` for the character itself"],
]);

export function pathComponentFromText(text: string): PathComponent | PatternError {
  if (text === "**") return ANY_DEPTH;
  if (text === "") return patternError("has an empty component", "write one slash, and none at the end");
  if (text === "." || text === "..")
    return patternError(`has \`${text}\` for a component`, "write the path without it");
  if (text.includes("**"))
    return patternError("has `**` within a component", "write `**` between slashes, or a single `*`");
  return tokens([...text]);
}

function tokens(characters: readonly string[]): PathComponent | PatternError {
  const wildcard: number[] = [];
  let literal = "";
  for (let i = 0; i < characters.length; i++) {
    let character = characters[i] as string;
    let meaning = MEANINGS.get(character);
    const hint = FOREIGN.get(character);
    if (hint !== undefined) return patternError(`has \`${character}\`, which has no meaning here`, hint);
    if (character === "\\") {
      character = characters[++i] ?? "";
      meaning = undefined;
      if (!SPECIAL.has(character)) return patternError("has a backslash before an ordinary character", "leave it out");
    }
    wildcard.push(meaning ?? (character.codePointAt(0) as number));
    literal += character;
  }
  return wildcard.some((token) => token < 0) ? { wildcard } : { literal };
}

/** The pattern that matches exactly this path. */
export const literalPattern = (path: string): string => path.replaceAll(/[*?[\]{}\\]/g, "\\$&");

/** Whether the component matches all of `path` from `start` to `end`. */
export function matchesComponent(
  component: Exclude<PathComponent, typeof ANY_DEPTH>,
  path: string,
  start: number,
  end: number,
): boolean {
  if ("wildcard" in component) return matchesWildcard(component.wildcard, path, start, end);
  return component.literal.length === end - start && path.startsWith(component.literal, start);
}
