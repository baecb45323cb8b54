import { LIMITS } from "../../../domain/limits.ts";
import { globBelow, hidesIgnoreFiles, hidingGlobs } from "./rg-globs.ts";
import type { SearchInput } from "./search-input.ts";

export interface SearchPlace {
  readonly root: string;
  readonly workspace: string;
  readonly hide: readonly string[];
}

/**
 * INVARIANT (data, not options): whatever comes from a model or a rule is the value of an option that is written with
 * `=`, or stands behind `--`.
 */
export const rgArguments = (input: SearchInput, { root, workspace, hide }: SearchPlace): readonly string[] => [
  ...ALWAYS,
  ...(hidesIgnoreFiles(hide, workspace) ? ["--no-ignore-vcs"] : []),
  ...(input.regex ? [] : ["--fixed-strings"]),
  input.caseSensitive === false ? "--ignore-case" : "--case-sensitive",
  `--context=${input.contextLines ?? LIMITS.searchContextLines.default}`,
  // One more than wanted tells that there are more; and ripgrep keeps all of a file's matches in memory.
  `--max-count=${(input.limit ?? LIMITS.searchMatches.default) + 1}`,
  ...globOption("", input.includePattern, root),
  ...globOption("!", input.excludePattern, root),
  // The last glob that matches decides, so these stand behind the user's.
  `--glob=!${globBelow(root, ".git")}`,
  ...hidingGlobs(hide, workspace).map((glob) => `--glob=!${glob}`),
  `--regexp=${input.query}`,
  "--",
  root,
];

const globOption = (sign: "" | "!", pattern: string | undefined, root: string): readonly string[] =>
  pattern === undefined || pattern === "" ? [] : [`--glob=${sign}${globBelow(root, pattern)}`];

const ALWAYS: readonly string[] = [
  "--no-config",
  "--json",
  // The linear-time engine: an expression may come from anybody.
  "--engine=default",
  "--crlf",
  "--hidden",
  // `.gitignore` files, as git reads them in a repository, and no other list of what to leave out.
  ...["--no-require-git", "--no-ignore-dot", "--no-ignore-exclude", "--no-ignore-global"],
  "--no-follow",
  "--one-file-system",
  // A file that shrinks while it is mapped into memory ends the program.
  "--no-mmap",
  `--max-filesize=${LIMITS.searchFileBytes.default}`,
];
