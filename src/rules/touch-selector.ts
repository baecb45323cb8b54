import { FILE_TOUCH_KINDS, type FileTouchKind, type TouchKind } from "../domain/touch.ts";
import { type CommandRule, compileCommandPattern } from "./command-pattern.ts";
import { compileConnectPattern } from "./connect-pattern.ts";
import { compileOperationPattern } from "./git-operations.ts";
import { compileModelPattern } from "./model-pattern.ts";
import { compileNamePattern } from "./name-pattern.ts";
import type { Pattern } from "./pattern.ts";
import type { PatternError } from "./pattern-error.ts";

/** Which touches a rule speaks about: by kind, and by patterns where a kind has them. */
export type TouchSelector = {
  readonly [Kind in FileTouchKind | "exec" | "connect" | "git" | "model" | "tool"]?: readonly string[];
} & {
  readonly unknown?: true;
};

/** Compiles a list of patterns, those of paths unless told otherwise, and reports the bad ones. */
export type CompilePatterns = (
  field: string,
  patterns: readonly string[],
  compile?: (pattern: string) => Pattern | PatternError,
) => readonly Pattern[];

export function compileSelector(
  touch: TouchSelector,
  compileAll: CompilePatterns,
  rule: CommandRule,
): ReadonlyMap<TouchKind, readonly Pattern[] | null> {
  const kinds = new Map<TouchKind, readonly Pattern[] | null>();
  for (const kind of FILE_TOUCH_KINDS) {
    const patterns = touch[kind];
    if (patterns !== undefined) kinds.set(kind, compileAll(`touch.${kind}`, patterns));
  }
  const command = (pattern: string) => compileCommandPattern(pattern, rule);
  if (touch.exec) kinds.set("exec", compileAll("touch.exec", touch.exec, command));
  if (touch.connect) kinds.set("connect", compileAll("touch.connect", touch.connect, compileConnectPattern));
  if (touch.git) kinds.set("git", compileAll("touch.git", touch.git, compileOperationPattern));
  if (touch.model) kinds.set("model", compileAll("touch.model", touch.model, compileModelPattern));
  if (touch.tool) kinds.set("tool", compileAll("touch.tool", touch.tool, compileNamePattern));
  if (touch.unknown === true) kinds.set("unknown", null);
  return kinds;
}
