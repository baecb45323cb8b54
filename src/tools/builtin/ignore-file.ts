import { type Glob, globFrom, type Steps } from "./glob.ts";

/** One `.gitignore`, and where it stands. */
export interface IgnoreFile {
  readonly directory: string;
  readonly rules: readonly IgnoreRule[];
}

interface IgnoreRule {
  readonly glob: Glob;
  readonly isNegated: boolean;
  readonly onlyDirectories: boolean;
}

/** Nobody writes more; somebody hostile would. */
const RULES_MAX = 2000;

export function ignoreFileFrom(text: string, directory: string): IgnoreFile {
  const rules = text
    .replace(/^\ufeff/, "")
    .split("\n")
    .flatMap(ruleFrom);
  return { directory, rules: rules.slice(0, RULES_MAX) };
}

function ruleFrom(line: string): readonly IgnoreRule[] {
  if (line.startsWith("#")) return [];
  const trimmed = withoutSpacesBehind(line.endsWith("\r") ? line.slice(0, -1) : line);
  const isNegated = trimmed.startsWith("!");
  const positive = isNegated ? trimmed.slice(1) : trimmed;
  const onlyDirectories = positive.endsWith("/");
  const pattern = onlyDirectories ? positive.slice(0, -1) : positive;
  return pattern === "" ? [] : [{ glob: globFrom(pattern), isNegated, onlyDirectories }];
}

/** A space at the end counts only behind a backslash. */
function withoutSpacesBehind(line: string): string {
  let end = line.length;
  while (line[end - 1] === " " && line[end - 2] !== "\\") end--;
  return line.slice(0, end);
}

/** Whether git would leave the path out. The nearest file that says anything about it decides, and in it the last rule. */
export function isIgnored(files: readonly IgnoreFile[], path: string, kind: string, steps?: Steps): boolean {
  for (const { directory, rules } of files.toReversed()) {
    const relative = path.slice(directory === "/" ? 1 : directory.length + 1);
    const rule = rules.findLast(
      ({ glob, onlyDirectories }) => (!onlyDirectories || kind === "directory") && glob.matches(relative, steps),
    );
    if (rule !== undefined) return !rule.isNegated;
  }
  return false;
}
