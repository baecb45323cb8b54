import { quoted } from "../domain/visible.ts";
import type { CompileCondition, Condition } from "./condition.ts";
import { compileConnectPattern } from "./connect-pattern.ts";
import { compileNamePattern } from "./name-pattern.ts";
import { compilePathPattern, type PathPattern } from "./path-pattern.ts";
import type { Pattern } from "./pattern.ts";
import { type PatternError, patternError } from "./pattern-error.ts";
import type { Rule, RuleSource, RuleTools } from "./rule.ts";
import { type ExampleResult, exampleProblem, triedExamples } from "./rule-examples.ts";
import type { RuleGrant } from "./rule-grant.ts";
import { type CompilePatterns, compileSelector } from "./touch-selector.ts";

export interface RuleProblem {
  /** As `touch.read[1]`. */
  readonly field: string;
  readonly message: string;
  readonly hint?: string;
  /** Where in the field's text, if it is long. */
  readonly offset?: number;
}

/** What rules are compiled with. The compiler of conditions is asked for only if a rule has one. */
export interface RuleContext {
  readonly workspace: string;
  /** Left out = conditions can't be read here, and a rule that has one is a problem. */
  readonly conditions?: () => CompileCondition;
}

export interface CompiledRule {
  /** May be used only where there is no problem. */
  readonly rule: Rule;
  readonly problems: readonly RuleProblem[];
  readonly examples: readonly ExampleResult[];
}

type Report = (field: string, error: PatternError & { readonly offset?: number }) => void;

const ID = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,99}$/;

export function compileRule(source: RuleSource, context: RuleContext): CompiledRule {
  const problems: RuleProblem[] = [];
  const report: Report = (field, { error, ...more }) => void problems.push({ field, message: error, ...more });
  reportNames(source, report);
  const { effect, because = null, otherwise = false, dynamic = false, touch } = source;
  const { workspace } = context;
  const compileAll = patternCompiler(workspace, report);
  const kinds =
    touch === undefined
      ? null
      : compileSelector(touch, compileAll, { effect, dynamic, anyOption: source.options === "any", workspace });
  if (kinds?.size === 0)
    report("touch", patternError("the rule names no touch", "leave `touch` out to cover every touch"));
  const rule: Rule = {
    ...{ id: source.id, effect, because, otherwise, kinds, tightens: source.tightens === true },
    tools: source.tools ? ruleTools(compileAll("tools", source.tools, compileNamePattern)) : null,
    containment: source.containment ? new Set(source.containment) : null,
    sandbox: source.sandbox ? new Set(source.sandbox) : null,
    condition: source.when === undefined ? null : compiledCondition(source.when, context, report),
    grant: compiledGrant(source, compileAll, report),
  };
  if (source.dynamic !== undefined && touch?.exec === undefined)
    report("dynamic", patternError("`dynamic` is about commands, and the rule names none", "take it out"));
  if (source.options !== undefined) reportOptions(source, kinds?.get("exec") ?? null, report);
  if (source.approvers !== undefined && effect !== "ask")
    report(
      "approvers",
      patternError("only an ask has somebody to answer it", "take `approvers` out, or make it an ask"),
    );
  const examples = problems.length > 0 ? [] : triedExamples(rule, source.examples, workspace);
  for (const example of examples) if (!example.holds) report(example.field, exampleProblem(example));
  return { rule, problems, examples };
}

/** A pattern without a wildcard is a name, and its head. */
const ruleTools = (compiled: readonly Pattern[]): RuleTools => ({
  names: new Set(compiled.flatMap(({ head }) => head)),
  patterns: compiled.filter(({ head }) => head.length === 0),
});

function reportNames({ id, because }: RuleSource, report: Report): void {
  if (!ID.test(id)) {
    const hint = "use letters, digits, `-`, `_` and `.`, at most 100";
    report("id", patternError(`the id ${quoted(id)} is not a name`, hint));
  }
  if (because?.isWellFormed() === false) report("because", patternError("the reason is not valid Unicode text"));
}

function reportOptions({ effect }: RuleSource, commands: readonly Pattern[] | null, report: Report): void {
  if (effect !== "allow")
    report(
      "options",
      patternError("`options` is for a rule that allows: all others cover every option", "take it out"),
    );
  else if (commands === null)
    report("options", patternError("`options` is about commands, and the rule names none", "take it out"));
  else if (commands.some(({ head }) => head.length === 0))
    report(
      "options",
      patternError(
        "`options: any` can't stand beside a pattern that begins with a wildcard",
        "name the program: `mytool **`",
      ),
    );
}

function compiledCondition(text: string, { conditions }: RuleContext, report: Report): Condition | null {
  const compiled = conditions?.()(text) ?? patternError("conditions can't be read here");
  if (!("error" in compiled)) return compiled;
  report("when", compiled);
  return null;
}

function compiledGrant({ grant, effect }: RuleSource, compileAll: CompilePatterns, report: Report): RuleGrant | null {
  if (grant === undefined) return null;
  if (effect === "deny") report("grant", patternError("a deny lets nothing run, so it has nothing to grant"));
  const { read, write, connect } = grant;
  const paths = (name: string, patterns: readonly string[] | undefined) =>
    patterns === undefined ? [] : (compileAll(`grant.${name}`, patterns) as readonly PathPattern[]);
  return {
    read: paths("read", read),
    write: paths("write", write),
    connect: connect === undefined ? [] : compileAll("grant.connect", connect, compileConnectPattern),
  };
}

function patternCompiler(workspace: string, report: Report): CompilePatterns {
  const path = (pattern: string) => compilePathPattern(pattern, workspace);
  return (field, patterns, compile = path) => {
    // An empty list would cover nothing: never what a person means who writes a deny.
    if (patterns.length === 0)
      report(field, patternError(`\`${field}\` is an empty list, so the rule would cover nothing`, "leave it out"));
    return patterns.flatMap((pattern, index) => {
      const compiled = compile(pattern);
      if (!("error" in compiled)) return [compiled];
      report(`${field}[${index}]`, compiled);
      return [];
    });
  };
}
