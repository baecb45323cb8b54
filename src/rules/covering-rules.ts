import type { CallFacts } from "../domain/call-facts.ts";
import type { Effect } from "../domain/decision.ts";
import type { Touch } from "../domain/touch.ts";
import type { Rule } from "./rule.ts";
import { concerns, patternsFor, ranked } from "./rule-index.ts";
import { coverageOf, textOf } from "./subject.ts";

/** A rule that covers a touch, for people who want to know why. */
export interface CoveringRule {
  readonly ruleId: string;
  readonly effect: Effect;
  readonly because: string | null;
  readonly otherwise: boolean;
  readonly fault?: string;
}

/** All rules that cover one touch, the strictest first. Looks at every rule: for explaining, not for judging. */
export function coveringRules(rules: readonly Rule[], touch: Touch, facts: CallFacts): readonly CoveringRule[] {
  const text = textOf(touch);
  return ranked(rules).flatMap((rule) => {
    const isSelected = patternsFor(rule, touch.kind).some(
      (pattern) => coverageOf(pattern, touch, text, rule.effect) === "yes",
    );
    if (!isSelected || !concerns(rule, facts)) return [];
    const answer = rule.condition?.decide(touch, facts) ?? true;
    if (answer === false) return [];
    const { id: ruleId, effect, because, otherwise } = rule;
    return [{ ruleId, effect, because, otherwise, ...(typeof answer === "object" && answer) }];
  });
}
