import type { TouchVerdict } from "../domain/call.ts";
import type { CallFacts } from "../domain/call-facts.ts";
import { isFileTouch, type Touch } from "../domain/touch.ts";
import { moreCommands } from "./command-steps.ts";
import type { Condition } from "./condition.ts";
import type { Visitor } from "./pattern-trie.ts";
import { type Candidate, candidatesFor, concerns, isContained, type RuleIndex, triesFor } from "./rule-index.ts";
import { coverageOf, stepsOf, textOf } from "./subject.ts";
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
  if (isFileTouch(touch)) {
    const found = new Found(touch, facts, touch.path);
    for (const candidate of candidatesFor(index, touch.kind, facts.tool, touch.path))
      if (isContained(candidate.rule, facts)) found.take(candidate);
    return found.inOrder();
  }
  const found = new Found(touch, facts, textOf(touch));
  const tries = triesFor(index, touch.kind, facts.tool);
  if (touch.kind === "exec") {
    const more = moreCommands(touch);
    const visitor = more.length < MANY ? found : new EachOnce(found);
    for (const trie of tries) {
      trie.alongWords(touch.argv, visitor);
      for (const also of more) trie.alongWords(also, visitor);
    }
  } else {
    const steps = stepsOf(touch);
    for (const trie of tries) trie.along(steps, found);
  }
  return found.inOrder();
}

/** So few are asked about again in less time than it takes to remember them. */
const MANY = 10;

/** Whether a pattern covers a touch is the same on each of its ways: a text may name a program a thousand times. */
class EachOnce implements Visitor<Candidate> {
  readonly #seen = new Set<Candidate>();
  readonly #found: Found;

  constructor(found: Found) {
    this.#found = found;
  }

  visit(candidates: readonly Candidate[]): void {
    const unseen = candidates.filter((candidate) => !this.#seen.has(candidate));
    for (const candidate of unseen) this.#seen.add(candidate);
    this.#found.visit(unseen);
  }
}

/** What a walk through the index has come upon. An object with members, because this is made for each touch of each call. */
class Found implements Covering, Visitor<Candidate> {
  sure: Candidate | null = null;
  conditional: [Condition, Candidate][] = NONE;
  possible: Candidate[] = NONE;
  readonly #touch: Touch;
  readonly #facts: CallFacts;
  readonly #text: string;

  constructor(touch: Touch, facts: CallFacts, text: string) {
    this.#touch = touch;
    this.#facts = facts;
    this.#text = text;
  }

  visit(candidates: readonly Candidate[]): void {
    for (const candidate of candidates) {
      const { rule, rank, pattern } = candidate;
      if (this.sure !== null && rank >= this.sure.rank && rule.condition === null) continue;
      const coverage = coverageOf(pattern, this.#touch, this.#text, rule.effect);
      if (coverage === "no" || !concerns(rule, this.#facts)) continue;
      if (coverage === "yes" && !rule.tightens) this.take(candidate);
      else if (this.possible === NONE) this.possible = [candidate];
      else this.possible.push(candidate);
    }
  }

  take(candidate: Candidate): void {
    const { condition } = candidate.rule;
    // A rule of which two patterns match stands here twice, and is asked twice: rare, and the answer is the same.
    if (condition !== null)
      if (this.conditional === NONE) this.conditional = [[condition, candidate]];
      else this.conditional.push([condition, candidate]);
    else if (this.sure === null || candidate.rank < this.sure.rank) this.sure = candidate;
  }

  inOrder(): this {
    if (this.conditional.length > 1) this.conditional.sort(([, a], [, b]) => byRank(a, b));
    if (this.possible.length > 1) this.possible.sort(byRank);
    return this;
  }
}

/** Never added to. */
const NONE: never[] = [];

const byRank = (a: Candidate, b: Candidate): number => a.rank - b.rank;
