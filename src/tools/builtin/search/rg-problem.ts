import { CODES, type Code } from "../../../domain/codes.ts";
import type { RunResult } from "../../../domain/tool.ts";
import { quoted, visibleText } from "../../../domain/visible.ts";
import { globBelow } from "./rg-globs.ts";
import type { SearchInput } from "./search-input.ts";

/** Why ripgrep did not search at all, in words that name no path of this machine. */
export function rgProblem(errorText: string, exitCode: number, input: SearchInput, root: string): RunResult {
  const glob = /^rg: error parsing glob '([\s\S]*?)': (.*)$/m.exec(errorText);
  if (glob !== null) return badGlob(glob[1] ?? "", glob[2] ?? "", input, root);
  const explained = /^rg: (regex parse error:[\s\S]*?\nerror: (.*))$/m.exec(errorText);
  if (explained !== null && input.regex) {
    return failed("INVALID_PATTERN", `\`query\` is no regular expression: ${explained[2]}`, {
      detail: visibleText(explained[1] ?? ""),
    });
  }
  const [, reason = ""] = /^rg: (.*(?:size limit|not allowed in a regex).*)$/m.exec(errorText) ?? [];
  if (reason !== "") return failed("INVALID_PATTERN", `\`query\` can't be searched for: ${reason}`, {});
  return failed("TOOL_FAILED", `the search program ended with ${exitCode}`, {
    exitCode,
    detail: "narrow the search down by `path` or `includePattern`",
  });
}

/** ripgrep tells the glob as it was given to it, with our own beginning. */
function badGlob(glob: string, reason: string, input: SearchInput, root: string): RunResult {
  const { includePattern = "", excludePattern = "" } = input;
  const field = globBelow(root, includePattern) === glob ? "includePattern" : "excludePattern";
  const pattern = field === "includePattern" ? includePattern : excludePattern;
  return failed("INVALID_PATTERN", `\`${field}\` ${quoted(pattern)} can't be read: ${reason}`, {});
}

export const failed = (code: Code, message: string, more: { detail?: string; exitCode?: number }): RunResult => ({
  kind: "failed",
  error: { code, message, retryable: CODES[code].retryable, ...more },
  content: [],
});
