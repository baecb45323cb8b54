import { compilePathPattern } from "./path-pattern.ts";

/** For runners: whether a path inside a tree has to be passed over. A pattern that can't be read hides everything. */
export function hiddenBy(hide: readonly string[], workspace: string): (path: string) => boolean {
  const patterns = hide.map((text) => compilePathPattern(text, workspace));
  return (path) => patterns.some((pattern) => "error" in pattern || pattern.matches(path));
}
