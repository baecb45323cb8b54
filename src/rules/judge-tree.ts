import type { TouchVerdict } from "../domain/call.ts";
import type { CallFacts } from "../domain/call-facts.ts";
import type { FileTouch } from "../domain/touch.ts";
import { isSettled } from "./judge-one.ts";
import { type PathPattern, pathSteps } from "./path-pattern.ts";
import { type Overlap, overlapWithTree } from "./path-tree.ts";
import type { Rule } from "./rule.ts";
import { type Candidate, concerns, type RuleIndex, triesFor } from "./rule-index.ts";
import { covered, faulty, uncovered } from "./verdict.ts";

/** A rule that speaks, or may speak, about something in the tree. */
export interface Overlapping {
  readonly rule: Rule;
  readonly rank: number;
  readonly overlap: Exclude<Overlap, null>;
  readonly patterns: readonly string[];
}

const WIDTH = { all: 2, root: 1, part: 0 } as const satisfies Record<Exclude<Overlap, null>, number>;

/**
 * The strictest answer for a folder with everything below it. A rule lets the tree through only if one of its
 * patterns covers all of it. What some rule inside judges more strictly than the answer, or may judge so, is hidden
 * from the runner: `judge` of a path in the tree that is not hidden is never stricter than `judge` of the tree.
 */
export function judgeTree(index: RuleIndex, touch: FileTouch, facts: CallFacts): TouchVerdict {
  const denied: string[] = [];
  const asked: string[] = [];
  let found: Overlapping | null = null;
  let asking: Overlapping | null = null;
  for (const one of overlapping(index, touch, facts)) {
    if (found !== null && isSettled(found, one)) break;
    const { rule, overlap, patterns } = one;
    const answer = rule.condition?.decide(touch, facts) ?? true;
    if (typeof answer === "object") return faulty(touch, rule, answer.fault);
    // A condition about the touch is one about each path inside, and those are not known yet.
    const isSure = rule.condition?.names.has("touch") !== true;
    if (isSure && !answer) continue;
    if (isSure && overlap === "all") found ??= one;
    else if (rule.effect === "allow") continue;
    else if (overlap === "part" && touch.kind === "read") (rule.effect === "deny" ? denied : asked).push(...patterns);
    else if (rule.effect === "ask") asking ??= one;
    else
      return isSure ? covered(touch, rule) : faulty(touch, rule, "its condition can't be decided for a whole folder");
  }
  if (found === null) return uncovered(touch);
  const deciding = found.rule.effect === "allow" && asking !== null ? asking.rule : found.rule;
  const hide = deciding.effect === "allow" ? [...denied, ...asked] : denied;
  const verdict = covered(touch, deciding);
  return hide.length === 0 || deciding.effect === "deny" ? verdict : { ...verdict, hide: [...new Set(hide)].sort() };
}

/** In the order of rank, each rule once, with the widest of its overlaps and the patterns that make them. */
export function overlapping(index: RuleIndex, { kind, path }: FileTouch, facts: CallFacts): readonly Overlapping[] {
  const found = new Map<Rule, Overlapping>();
  const visit = (candidates: readonly Candidate[]): void => {
    for (const { rule, rank, pattern } of candidates) {
      const overlap = pattern === null ? "all" : overlapWithTree(pattern as PathPattern, path);
      if (overlap === null || !concerns(rule, facts)) continue;
      const before = found.get(rule);
      const patterns = [...(before?.patterns ?? []), ...(pattern === null ? [] : [pattern.text])];
      found.set(rule, { rule, rank, overlap: wider(before?.overlap, overlap), patterns });
    }
  };
  for (const trie of triesFor(index, kind, facts.tool)) trie.within(pathSteps(path), { visit });
  return [...found.values()].sort((a, b) => a.rank - b.rank);
}

const wider = (before: Exclude<Overlap, null> | undefined, overlap: Exclude<Overlap, null>) =>
  before !== undefined && WIDTH[before] >= WIDTH[overlap] ? before : overlap;
