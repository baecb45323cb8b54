import type { TouchVerdict } from "../domain/call.ts";
import type { CallFacts } from "../domain/call-facts.ts";
import { isStricter } from "../domain/decision.ts";
import type { FileTouch } from "../domain/touch.ts";
import { judgeOne } from "./judge-one.ts";
import { overlapping } from "./judge-tree.ts";
import type { Rule } from "./rule.ts";
import type { RuleIndex } from "./rule-index.ts";

/**
 * The answer for a folder whose names are told: that for the folder itself. What some rule judges more strictly further
 * in, or may judge so, is hidden from the runner, as it is in a tree.
 */
export function judgeNames(index: RuleIndex, touch: FileTouch, facts: CallFacts): TouchVerdict {
  const verdict = judgeOne(index, touch, facts);
  if (verdict.effect === "deny") return verdict;
  const all = overlapping(index, touch, facts);
  // A rule for whatever no other speaks about says nothing where one speaks about everything.
  const isAllCovered = all.some(({ rule, overlap }) => overlap === "all" && !rule.otherwise && rule.condition === null);
  const hide = all
    .filter(({ rule, overlap }) => overlap === "part" && isStricter(rule.effect, verdict.effect))
    .filter(({ rule }) => !(rule.otherwise && isAllCovered) && maySpeak(rule, touch, facts))
    .flatMap(({ patterns }) => patterns);
  return hide.length === 0 ? verdict : { ...verdict, hide: [...new Set(hide)].sort() };
}

/** A condition about the touch is one about each name, and those are not known yet; one that errs is not a no. */
function maySpeak({ condition }: Rule, touch: FileTouch, facts: CallFacts): boolean {
  return condition === null || condition.names.has("touch") || condition.decide(touch, facts) !== false;
}
