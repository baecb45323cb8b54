import type { TouchVerdict } from "../domain/call.ts";
import type { CallFacts } from "../domain/call-facts.ts";
import { isFileTouch, type Touch } from "../domain/touch.ts";
import type { Steps } from "./command-steps.ts";
import type { Condition } from "./condition.ts";
import type { PatternTrie } from "./pattern-trie.ts";
import { type Candidate, candidatesFor, concerns, isContained, type RuleIndex, triesFor } from "./rule-index.ts";
import { coverageOf, type Subject, subjectOf, textOf } from "./subject.ts";
import { covered, faulty, uncovered } from "./verdict.ts";

/** What covers a touch by all but its condition. */
interface Covering {
  /** The strictest rule without a condition. */
  readonly sure: Candidate | null;
  /** The strictest first. */
  readonly conditional: readonly (readonly [Condition, Candidate])[];
  /** What asks where it is let through: it may cover it, once all is known, or is there for that only. The strictest first. */
  readonly possible: readonly Candidate[];
}

/** The strictest answer for one touch. A condition is asked only where its answer can matter. */
export function judgeOne(index: RuleIndex, touch: Touch, facts: CallFacts): TouchVerdict {
  const { sure, conditional, possible } = covering(index, touch, facts);
  let found = sure;
  for (const [condition, candidate] of conditional) {
    if (found !== null && isSettled(found, candidate)) break;
    const answer = condition.decide(touch, facts);
    // A rule that can't be decided denies, whatever it would have said.
    if (typeof answer === "object") return faulty(touch, candidate.rule, answer.fault);
    if (answer && (found === null || candidate.rank < found.rank)) found = candidate;
  }
  if (found === null) return uncovered(touch);
  return tightened(found, possible, touch, facts) ?? covered(touch, found.rule);
}

/** INVARIANT (only tightens): what may cover a touch is asked only where something else lets it through. */
function tightened(
  found: Candidate,
  possible: readonly Candidate[],
  touch: Touch,
  facts: CallFacts,
): TouchVerdict | null {
  if (found.rule.effect !== "allow") return null;
  for (const { rule } of possible) {
    if (rule.otherwise && !found.rule.otherwise) break;
    const answer = rule.condition === null || rule.condition.decide(touch, facts);
    if (typeof answer === "object") return faulty(touch, rule, answer.fault);
    if (answer) return covered(touch, rule);
  }
  return null;
}

/** Whether no answer of `next`, nor of those after it, can change what was found. */
export const isSettled = (found: Pick<Candidate, "rank" | "rule">, next: Pick<Candidate, "rank" | "rule">): boolean =>
  (found.rule.effect === "deny" && found.rank < next.rank) || (next.rule.otherwise && !found.rule.otherwise);

function covering(index: RuleIndex, touch: Touch, facts: CallFacts): Covering {
  let sure: Candidate | null = null;
  let conditional: [Condition, Candidate][] | null = null;
  let possible: Candidate[] | null = null;
  const take = (candidate: Candidate): void => {
    const { condition } = candidate.rule;
    if (condition === null) {
      if (sure === null || candidate.rank < sure.rank) sure = candidate;
      return;
    }
    // A rule of which two patterns match stands here twice, and is asked twice: rare, and the answer is the same.
    conditional ??= [];
    conditional.push([condition, candidate]);
  };
  if (isFileTouch(touch)) {
    for (const candidate of candidatesFor(index, touch.kind, facts.tool, touch.path))
      if (isContained(candidate.rule, facts)) take(candidate);
  } else {
    const text = textOf(touch);
    const visit = (candidates: readonly Candidate[]): void => {
      for (const candidate of candidates) {
        const { rule, rank, pattern } = candidate;
        if (sure !== null && rank >= sure.rank && rule.condition === null) continue;
        const coverage = coverageOf(pattern, touch, text, rule.effect);
        if (coverage === "no" || !concerns(rule, facts)) continue;
        if (coverage === "yes" && !rule.tightens) take(candidate);
        else {
          possible ??= [];
          possible.push(candidate);
        }
      }
    };
    for (const trie of triesFor(index, touch.kind, facts.tool)) lookAll(trie, subjectOf(touch), visit);
  }
  return {
    sure,
    conditional: inRankOrder(conditional),
    possible: (possible as Candidate[] | null)?.sort(byRank) ?? NONE,
  };
}

const NONE: readonly never[] = [];

const byRank = (a: Candidate, b: Candidate): number => a.rank - b.rank;

const inRankOrder = (conditional: [Condition, Candidate][] | null): Covering["conditional"] =>
  conditional === null ? NONE : conditional.sort(([, a], [, b]) => byRank(a, b));

function lookAll(trie: PatternTrie<Candidate>, subject: Subject, visit: Visit): void {
  look(trie, subject, visit);
  for (const more of subject.more ?? NONE) look(trie, more, visit);
}

function look(trie: PatternTrie<Candidate>, { steps, isOpen }: Steps, visit: Visit): void {
  if (isOpen) trie.within(steps, visit);
  else trie.along(steps, visit);
}

type Visit = (candidates: readonly Candidate[]) => void;
