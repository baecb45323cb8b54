import type { TouchVerdict } from "../domain/call.ts";
import type { CallFacts } from "../domain/call-facts.ts";
import { type Lease, leaseChain } from "../domain/lease.ts";
import type { Grant } from "../domain/plan.ts";
import type { Touch } from "../domain/touch.ts";
import { compileConnectPattern } from "./connect-pattern.ts";
import { leasePatterns } from "./lease.ts";
import { compilePathPattern } from "./path-pattern.ts";
import { common, coversHost, coversPath, distinct } from "./pattern-algebra.ts";
import type { PatternError } from "./pattern-error.ts";
import { type Restrictions, restrictionsFor } from "./restrictions.ts";
import type { Rule } from "./rule.ts";
import type { RuleGrant } from "./rule-grant.ts";
import { concerns, patternsFor } from "./rule-index.ts";
import { coverageOf, textOf } from "./subject.ts";

export interface Granted {
  readonly grant: Grant;
  /** What rules say that overlap the grant and can't be decided for a part of it: they speak for the whole call. */
  readonly spoken: readonly TouchVerdict[];
}

export interface GrantRequest {
  readonly facts: CallFacts;
  /** What the rules say of the touches themselves. */
  readonly verdicts: readonly TouchVerdict[];
}

/** The rules that can matter for a grant. */
export interface GrantingRules {
  readonly granting: readonly Rule[];
  /** Those that deny or ask where they speak. */
  readonly restricting: readonly Rule[];
  readonly isOtherwise: (ruleId: string) => boolean;
}

/** Touches behind which a program runs that does more than they say. */
const isProgram = ({ kind }: Touch): boolean => kind === "exec" || kind === "git";

/** Commands of the shell itself start nothing, and all they open was judged by its own name. */
const isOfShell = (touch: Touch): boolean => touch.kind === "exec" && touch.origin === "shell";

/**
 * The grant of a call: what every program in it may do, so that none of them can use what another was given. Each has
 * the profile's own (the workspace, to be read) and what the rules grant that let it through; then the lease cuts.
 * Null: the call runs no program.
 */
export function grantFor(rules: GrantingRules, { facts, verdicts }: GrantRequest, workspace: string): Granted | null {
  const named = verdicts.filter(({ touch }) => isProgram(touch));
  // `x=ls; $x`: no program is known beforehand, and one is started all the same.
  const unread = facts.containment === "sandbox" ? verdicts.filter(({ touch }) => touch.kind === "unknown") : [];
  const programs = named.length === 0 ? unread : named;
  if (programs.length === 0) return null;
  const started = programs.filter(({ touch }) => !isOfShell(touch));
  const base = baseGrant(workspace);
  const shared = (started.length > 0 ? started : programs)
    .map((verdict) => grantOfOne(rules, verdict, facts, base))
    .reduce(commonGrant);
  const grant = cutByLease(shared, facts.session.lease, workspace);
  const isAsked = verdicts.some(({ effect }) => effect === "ask");
  const restrictions = restrictionsFor(rules.restricting, facts, grant);
  return { grant: sealed(grant, restrictions, isAsked), spoken: restrictions.spoken };
}

/** What the operator gives to a program that serves many calls, and so is judged by none of them. */
export interface OperatorGrant {
  readonly read: readonly string[];
  readonly write: readonly string[];
  readonly connect: readonly string[];
}

/** Theirs and the profile's own, with what the rules deny or would ask about kept back: nobody can be asked at its start. */
export function operatorGrant(
  rules: Pick<GrantingRules, "restricting">,
  given: OperatorGrant,
  facts: CallFacts,
  workspace: string,
): Granted {
  const paths = (texts: readonly string[]) => compiled(texts, (text) => compilePathPattern(text, workspace));
  const connect = compiled(given.connect, compileConnectPattern);
  const grant = joined(baseGrant(workspace), { read: paths(given.read), write: paths(given.write), connect });
  const restrictions = restrictionsFor(rules.restricting, facts, grant);
  return { grant: sealed(grant, restrictions, false), spoken: restrictions.spoken };
}

/** A pattern that can't be read grants nothing; the configuration has said so before. */
const compiled = <Compiled extends object>(
  texts: readonly string[],
  compile: (text: string) => Compiled | PatternError,
): readonly Compiled[] => texts.map(compile).filter((pattern): pattern is Compiled => !("error" in pattern));

const baseGrant = (workspace: string): RuleGrant => {
  const read = [compilePathPattern("./**", workspace)].filter((pattern) => "matches" in pattern);
  return { read, write: [], connect: [] };
};

function grantOfOne(
  { granting, isOtherwise }: GrantingRules,
  { touch, ruleId }: TouchVerdict,
  facts: CallFacts,
  base: RuleGrant,
): RuleGrant {
  if (granting.length === 0) return base;
  const text = textOf(touch);
  // An `otherwise` rule is silent where another one speaks.
  const isLast = ruleId !== null && isOtherwise(ruleId);
  const covering = granting.filter(
    (rule) =>
      (isLast || !rule.otherwise) &&
      patternsFor(rule, touch.kind).some((pattern) => coverageOf(pattern, touch, text, rule.effect) === "yes") &&
      concerns(rule, facts) &&
      (rule.condition === null || rule.condition.decide(touch, facts) === true),
  );
  return covering.map(({ grant }) => grant as RuleGrant).reduce(joined, base);
}

const joined = (a: RuleGrant, b: RuleGrant): RuleGrant => ({
  read: distinct([...a.read, ...b.read]),
  write: distinct([...a.write, ...b.write]),
  connect: distinct([...a.connect, ...b.connect]),
});

const commonGrant = (a: RuleGrant, b: RuleGrant): RuleGrant => ({
  read: common(a.read, b.read, coversPath),
  write: common(a.write, b.write, coversPath),
  connect: common(a.connect, b.connect, coversHost),
});

/** What is cut away by one lease of a chain comes back by no other. */
export function cutByLease(grant: RuleGrant, lease: Lease, workspace: string): RuleGrant {
  let left = grant;
  for (const one of leaseChain(lease)) {
    const { read, write, hosts } = leasePatterns(one, workspace);
    left = {
      read: read === "everything" ? left.read : common(left.read, read, coversPath),
      write: write === "everything" ? left.write : common(left.write, write, coversPath),
      connect: hosts === "everything" ? left.connect : common(left.connect, hosts, coversHost),
    };
  }
  return left;
}

/** A person who is asked about the call is asked about what it may do: what a rule wants asked is kept back else. */
const sealed = (grant: RuleGrant, { denied, asked }: Restrictions, isAsked: boolean): Grant => {
  const kept = (kind: "read" | "write" | "connect") => texts([...denied[kind], ...(isAsked ? [] : asked[kind])]);
  return {
    connect: texts(grant.connect),
    hide: kept("read"),
    noConnect: grant.connect.length === 0 ? [] : kept("connect"),
    read: texts(grant.read),
    readOnly: grant.write.length === 0 ? [] : kept("write"),
    write: texts(grant.write),
  };
};

const texts = (patterns: readonly { readonly text: string }[]): readonly string[] =>
  [...new Set(patterns.map(({ text }) => text))].sort();
