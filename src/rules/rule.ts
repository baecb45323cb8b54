import type { Effect } from "../domain/decision.ts";
import { FILE_TOUCH_KINDS, type FileTouchKind, type TouchKind } from "../domain/touch.ts";
import { quoted } from "../domain/visible.ts";
import { compileNamePattern, type NamePattern } from "./name-pattern.ts";
import { compilePathPattern, type PathPattern } from "./path-pattern.ts";
import { type PatternError, patternError } from "./pattern-error.ts";

/** What a rule file says, one rule of it. Its shape has been checked, its patterns have not. */
export interface RuleSource {
  readonly id: string;
  readonly effect: Effect;
  /** Patterns of tool names; absent = every tool. */
  readonly tools?: readonly string[];
  /** Absent = every touch, except that an allow rule covers `unknown` only if it names it. */
  readonly touch?: TouchSelector;
  /** Speaks only for touches that no other rule covers. */
  readonly otherwise?: boolean;
  readonly because?: string;
}

export type TouchSelector = { readonly [Kind in FileTouchKind]?: readonly string[] } & { readonly unknown?: true };

export interface Rule {
  readonly id: string;
  readonly effect: Effect;
  readonly because: string | null;
  readonly otherwise: boolean;
  /** Null = every tool. */
  readonly tools: readonly NamePattern[] | null;
  /** Which kinds of touch the rule speaks about: by these paths, or whatever they touch (null). Null = every kind. */
  readonly kinds: ReadonlyMap<TouchKind, readonly PathPattern[] | null> | null;
}

export interface RuleProblem {
  /** As `touch.read[1]`. */
  readonly field: string;
  readonly message: string;
  readonly hint?: string;
}

const ID = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,99}$/;

/** The rule, and what is wrong with it; it may be used only where nothing is. */
export function compileRule(source: RuleSource, workspace: string): { rule: Rule; problems: readonly RuleProblem[] } {
  const problems: RuleProblem[] = [];
  const report = (field: string, { error, hint }: PatternError): void => {
    problems.push(hint === undefined ? { field, message: error } : { field, message: error, hint });
  };
  const { id, effect, because = null, otherwise = false, tools, touch } = source;
  if (!ID.test(id)) {
    report(
      "id",
      patternError(`the id ${quoted(id)} is not a name`, "use letters, digits, `-`, `_` and `.`, at most 100"),
    );
  }
  if (because?.isWellFormed() === false) report("because", patternError("the reason is not valid Unicode text"));

  const compileTools = (patterns: readonly string[]) => compileAll(patterns, "tools", compileNamePattern, report);
  const compilePaths = (patterns: readonly string[], field: string) =>
    compileAll(patterns, field, (pattern) => compilePathPattern(pattern, workspace), report);
  const kinds = touch === undefined ? null : kindsOf(touch, compilePaths);
  if (kinds?.size === 0)
    report("touch", patternError("the rule names no touch", "leave `touch` out to cover every touch"));
  return { rule: { id, effect, because, otherwise, tools: tools ? compileTools(tools) : null, kinds }, problems };
}

function kindsOf(
  touch: TouchSelector,
  compilePaths: (patterns: readonly string[], field: string) => readonly PathPattern[],
): ReadonlyMap<TouchKind, readonly PathPattern[] | null> {
  const kinds = new Map<TouchKind, readonly PathPattern[] | null>();
  for (const kind of FILE_TOUCH_KINDS) {
    const patterns = touch[kind];
    if (patterns !== undefined) kinds.set(kind, compilePaths(patterns, `touch.${kind}`));
  }
  if (touch.unknown === true) kinds.set("unknown", null);
  return kinds;
}

function compileAll<Pattern extends object>(
  patterns: readonly string[],
  field: string,
  compile: (pattern: string) => Pattern | PatternError,
  report: (field: string, error: PatternError) => void,
): readonly Pattern[] {
  // An empty list would cover nothing: never what a person means who writes a deny.
  if (patterns.length === 0)
    report(field, patternError(`\`${field}\` is an empty list, so the rule would cover nothing`, "leave it out"));
  return patterns.flatMap((pattern, index) => {
    const compiled = compile(pattern);
    if (!("error" in compiled)) return [compiled];
    report(`${field}[${index}]`, compiled);
    return [];
  });
}
