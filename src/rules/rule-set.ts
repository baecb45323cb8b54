import type { Approvers } from "../domain/approvers.ts";
import type { TouchVerdict } from "../domain/call.ts";
import type { CallFacts } from "../domain/call-facts.ts";
import { isStricter } from "../domain/decision.ts";
import { type Digest, digestOf } from "../domain/digest.ts";
import { isWithin } from "../domain/is-within.ts";
import { type FileTouch, isFileTouch, type Touch } from "../domain/touch.ts";
import { quoted } from "../domain/visible.ts";
import { approversFor } from "./approvers.ts";
import { isCanonical } from "./canonical-path.ts";
import { compileRule, type RuleContext, type RuleProblem } from "./compile-rule.ts";
import { isCanonicalHost } from "./connect-pattern.ts";
import { type CoveringRule, coveringRules } from "./covering-rules.ts";
import { type Granted, type GrantRequest, grantFor, type OperatorGrant, operatorGrant } from "./grant.ts";
import { judgeNames } from "./judge-names.ts";
import { judgeOne } from "./judge-one.ts";
import { judgeTree } from "./judge-tree.ts";
import type { PathPattern } from "./path-pattern.ts";
import { isRestricting } from "./restrictions.ts";
import type { RuleSource } from "./rule.ts";
import type { ExampleResult } from "./rule-examples.ts";
import { decisiveFor, indexRules } from "./rule-index.ts";
import { covered, uncovered } from "./verdict.ts";

export interface RuleSet {
  /** Of what the rules say, not of where the workspace or the gate is: the same rules have the same hash on every machine. */
  readonly hash: Digest;
  readonly size: number;
  /** As they were written. */
  readonly sources: readonly RuleSource[];
  /** The strictest rule that covers the touch; among equally strict ones the first of the file. None = deny by no rule. */
  readonly judge: (touch: Touch, facts: CallFacts) => TouchVerdict;
  /** What the programs of a call may do by themselves; null = it runs none. */
  readonly grant: (request: GrantRequest) => Granted | null;
  /** What a program may do that the operator lets serve many calls. */
  readonly operatorGrant: (given: OperatorGrant, facts: CallFacts) => Granted;
  /** Whether this is a rule that speaks only where no other does: then a narrower rule can answer in its place. */
  readonly isOtherwise: (ruleId: string) => boolean;
  /** Who has to say yes to a call that these verdicts ask about. */
  readonly approvers: (verdicts: readonly TouchVerdict[], facts: CallFacts) => readonly Approvers[];
  /** All that cover it, the strictest first; for people who want to know why. */
  readonly covering: (touch: Touch, facts: CallFacts) => readonly CoveringRule[];
}

export interface RuleSetProblem extends RuleProblem {
  readonly ruleIndex: number;
}

export type CompiledRules = (
  | { readonly ok: true; readonly rules: RuleSet }
  | { readonly ok: false; readonly problems: readonly RuleSetProblem[] }
) & { readonly examples: readonly ExampleResult[] };

/** All problems at once; a set with a problem is no set. */
export function compileRules(sources: readonly RuleSource[], context: RuleContext): CompiledRules {
  const compiled = sources.map((source) => compileRule(source, context));
  const examples = compiled.flatMap((rule) => rule.examples);
  const problems = [
    ...compiled.flatMap(({ problems }, ruleIndex) => problems.map((problem) => ({ ruleIndex, ...problem }))),
    ...duplicateIds(sources),
  ];
  if (problems.length > 0) return { ok: false, problems, examples };

  const rules = compiled.map(({ rule }) => rule);
  const index = indexRules(rules);
  const granted = rules.flatMap(({ grant: given }) => (given === null ? [] : [...given.read, ...given.write]));
  const judgeNamed = (touch: Touch, facts: CallFacts): TouchVerdict => {
    if (isFileTouch(touch) && touch.own === true && !granted.some((pattern) => mayHold(pattern, touch.path)))
      return { touch, effect: "allow", ruleId: STAYS_IN_SANDBOX, because: "it stays in the sandbox" };
    const decisive = isPlainFile(touch) ? decisiveFor(index, touch.kind, facts.tool, touch.path) : undefined;
    if (decisive !== undefined) return decisive === null ? uncovered(touch) : covered(touch, decisive.rule);
    const unspeakable = whyUnspeakable(touch);
    if (unspeakable !== null) return uncovered(touch, unspeakable);
    if (isFileTouch(touch) && touch.tree === true) return judgeTree(index, touch, facts);
    return isFileTouch(touch) && touch.names === true ? judgeNames(index, touch, facts) : judgeOne(index, touch, facts);
  };
  const judge = (touch: Touch, facts: CallFacts): TouchVerdict => {
    const verdict = judgeNamed(touch, facts);
    if (!isFileTouch(touch) || touch.links === undefined) return verdict;
    const { links, ...plain } = touch;
    return links.map((path) => judgeNamed({ ...plain, path }, facts)).reduce(strictestOfNames, verdict);
  };
  const otherwise = new Set(sources.filter((source) => source.otherwise === true).map(({ id }) => id));
  const isOtherwise = (ruleId: string) => otherwise.has(ruleId);
  const covering = (touch: Touch, facts: CallFacts) => coveringRules(rules, touch, facts);
  const approvers = (verdicts: readonly TouchVerdict[], facts: CallFacts) =>
    approversFor(sources, rules, verdicts, facts);
  const forGrants = {
    granting: rules.filter((rule) => rule.grant !== null),
    restricting: rules.filter(isRestricting),
    isOtherwise,
  };
  const grant = (request: GrantRequest) => grantFor(forGrants, request, context.workspace);
  const forOperator = (given: OperatorGrant, facts: CallFacts) =>
    operatorGrant(forGrants, given, facts, context.workspace);
  const hash = digestOf(sources.filter(({ ofMachine }) => ofMachine !== true));
  const parts = { judge, grant, operatorGrant: forOperator, isOtherwise, covering, approvers };
  return { ok: true, rules: { hash, size: sources.length, sources, ...parts }, examples };
}

/** Only what a rule says of a link's name counts: that no rule lets it through is no matter, since what it leads to is touched. */
function strictestOfNames(own: TouchVerdict, ofLink: TouchVerdict): TouchVerdict {
  const isSaid = ofLink.ruleId !== null || ofLink.fault !== undefined;
  return isSaid && isStricter(ofLink.effect, own.effect) ? { ...ofLink, touch: own.touch } : own;
}

/** The id of the answer for what is in a folder of the sandbox's own. */
const STAYS_IN_SANDBOX = "builtin:own-folder";

/** Whether a place that the pattern stands for may lie at the path, above it or below it. */
function mayHold({ head }: PathPattern, path: string): boolean {
  const begin = `/${head.join("/")}`;
  return isWithin(begin, path) || isWithin(path, begin);
}

/** Of a folder more is judged than its own path. */
const isPlainFile = (touch: Touch): touch is FileTouch =>
  isFileTouch(touch) && touch.tree !== true && touch.names !== true;

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

/** Another spelling of a path or host would slip past the patterns of a deny, and be let through by an allow that has none. */
function whyUnspeakable(touch: Touch): string | null {
  if (isFileTouch(touch))
    return isCanonical(touch.path) ? null : "the path is not canonical, so no rule can speak about it";
  if (touch.kind === "connect" && !isCanonicalHost(touch.host))
    return "the host is not canonical, so no rule can speak about it";
  return null;
}
