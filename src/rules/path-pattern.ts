import { LIMITS } from "../domain/limits.ts";
import { quoted } from "../domain/visible.ts";
import { ANY_DEPTH, type PathComponent, pathComponentFromText } from "./path-component.ts";
import { pathMatcher } from "./path-matcher.ts";
import type { Pattern } from "./pattern.ts";
import { type PatternError, patternError } from "./pattern-error.ts";

/** Speaks about whole components of canonical paths: `/workspace/**` does not match `/workspace-evil`. */
export interface PathPattern extends Pattern {
  readonly components: readonly PathComponent[];
}

/**
 * `./x` is below the workspace and `.` is the workspace itself; `/x` is absolute; `**` stands for any number of
 * components, also none; `*` and `?` stay within one. Names that begin with a dot are names like any other.
 */
export function compilePathPattern(pattern: string, workspace: string): PathPattern | PatternError {
  if (pattern.length > LIMITS.pathBytes.maximum) return patternError("a path pattern is longer than any path");
  if (!pattern.isWellFormed() || pattern.includes("\0"))
    return patternError(`the pattern ${quoted(pattern)} can match no path`);
  if (!workspace.startsWith("/")) return patternError(`the workspace ${quoted(workspace)} is not an absolute path`);
  const rooted = rootedFrom(pattern);
  if (rooted === null) return notRooted(pattern);

  const components: PathComponent[] = rooted.base === "workspace" ? literals(workspace) : [];
  for (const text of rooted.rest) {
    const component = pathComponentFromText(text);
    if (typeof component === "object" && "error" in component) {
      return patternError(`the pattern ${quoted(pattern)} ${component.error}`, component.hint);
    }
    if (component !== ANY_DEPTH || components.at(-1) !== ANY_DEPTH) components.push(component);
  }
  return { text: pattern, matches: pathMatcher(components), components, ...placeOf(components) };
}

/** The names of a canonical path. */
export const pathSteps = (path: string): readonly string[] => (path === "/" ? [] : path.slice(1).split("/"));

function placeOf(components: readonly PathComponent[]): Pick<Pattern, "head" | "last"> {
  const names = components.map(literalOf);
  const firstOpen = names.indexOf(null);
  return firstOpen === -1
    ? { head: names as string[], last: null }
    : { head: names.slice(0, firstOpen) as string[], last: names.at(-1) ?? null };
}

const literalOf = (component: PathComponent): string | null =>
  component !== ANY_DEPTH && "literal" in component ? component.literal : null;

/** Where a pattern begins, and its components from there. */
function rootedFrom(pattern: string): { base: "workspace" | "root"; rest: readonly string[] } | null {
  if (pattern === ".") return { base: "workspace", rest: [] };
  if (pattern === "/") return { base: "root", rest: [] };
  if (pattern.startsWith("./")) return { base: "workspace", rest: pattern.slice(2).split("/") };
  if (pattern.startsWith("/")) return { base: "root", rest: pattern.slice(1).split("/") };
  return pattern === "**" || pattern.startsWith("**/") ? { base: "root", rest: pattern.split("/") } : null;
}

function notRooted(pattern: string): PatternError {
  if (pattern === "") return patternError("a path pattern is empty", "write `./**` for the whole workspace");
  if (pattern.startsWith("!"))
    return patternError(
      `the pattern ${quoted(pattern)} is negated`,
      "write a rule of another effect for the exception",
    );
  if (pattern.startsWith("~"))
    return patternError(`the pattern ${quoted(pattern)} begins with \`~\``, "write the absolute path");
  if (pattern.startsWith(".."))
    return patternError(`the pattern ${quoted(pattern)} leaves the workspace`, "write the absolute path");
  return patternError(
    `the pattern ${quoted(pattern)} does not say where it begins`,
    `write ${quoted(`./${pattern}`)} for the workspace`,
  );
}

const literals = (path: string): PathComponent[] =>
  path
    .split("/")
    .filter((name) => name !== "")
    .map((literal) => ({ literal }));
