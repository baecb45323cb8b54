import type { TouchVerdict } from "../domain/call.ts";
import { type Digest, digestOf } from "../domain/digest.ts";
import { isFileTouch, type Touch } from "../domain/touch.ts";
import { quoted } from "../domain/visible.ts";
import { isCanonical } from "./canonical-path.ts";
import { compileRule, type RuleProblem, type RuleSource } from "./rule.ts";
import { covers, indexByKind } from "./rule-index.ts";

export interface RuleSet {
  /** Of what the rules say, not of where the workspace is: the same rules have the same hash on every machine. */
  readonly hash: Digest;
  readonly size: number;
  /** The strictest rule that covers the touch; among equally strict ones the first of the file. None = deny by no rule. */
  readonly judge: (touch: Touch, toolName: string) => TouchVerdict;
}

export interface RuleSetProblem extends RuleProblem {
  readonly ruleIndex: number;
}

export type CompiledRules =
  | { readonly ok: true; readonly rules: RuleSet }
  | { readonly ok: false; readonly problems: readonly RuleSetProblem[] };

/** All problems at once; a set with a problem is no set. */
export function compileRules(sources: readonly RuleSource[], { workspace }: { workspace: string }): CompiledRules {
  const compiled = sources.map((source) => compileRule(source, workspace));
  const problems = [
    ...compiled.flatMap(({ problems }, ruleIndex) => problems.map((problem) => ({ ruleIndex, ...problem }))),
    ...duplicateIds(sources),
  ];
  if (problems.length > 0) return { ok: false, problems };

  const index = indexByKind(compiled.map(({ rule }) => rule));
  const judge = (touch: Touch, toolName: string): TouchVerdict => {
    if (isFileTouch(touch) && !isCanonical(touch.path)) return unspeakable(touch);
    const candidates = index.get(touch.kind) ?? [];
    for (const candidate of candidates) {
      if (!covers(candidate, touch, toolName)) continue;
      const { effect, id, because } = candidate.rule;
      return { touch, effect, ruleId: id, because };
    }
    return { touch, effect: "deny", ruleId: null, because: null };
  };
  return { ok: true, rules: { hash: digestOf(sources), size: sources.length, judge } };
}

/** Two rules of one name can't be told apart in the ledger. */
function duplicateIds(sources: readonly RuleSource[]): readonly RuleSetProblem[] {
  const seen = new Set<string>();
  return sources.flatMap(({ id }, ruleIndex) => {
    if (!seen.has(id)) {
      seen.add(id);
      return [];
    }
    const message = `the id ${quoted(id)} is taken by an earlier rule`;
    return [{ ruleIndex, field: "id", message, hint: "give each rule its own id" }];
  });
}

/** A path with a detour would slip past the patterns of a deny, and be let through by an allow that has none. */
const unspeakable = (touch: Touch): TouchVerdict => ({
  touch,
  effect: "deny",
  ruleId: null,
  because: "the path is not canonical, so no rule can speak about it",
});
