import type { Approvers } from "../domain/approvers.ts";
import type { TouchVerdict } from "../domain/call.ts";
import type { CallFacts } from "../domain/call-facts.ts";
import { coveringRules } from "./covering-rules.ts";
import type { ApproversSource, Rule, RuleSource } from "./rule.ts";

/**
 * What all rules want that ask about a call. Each of them has to be satisfied: of two rules that ask, the one that is
 * easier to please must not answer for the other.
 */
export function approversFor(
  sources: readonly RuleSource[],
  rules: readonly Rule[],
  verdicts: readonly TouchVerdict[],
  facts: CallFacts,
): readonly Approvers[] {
  const wanting = new Map(
    sources.flatMap(({ id, approvers }) =>
      approvers === undefined ? [] : [[id, approversOf(id, approvers)] as const],
    ),
  );
  if (wanting.size === 0) return [];
  const asked = verdicts.filter(({ effect }) => effect === "ask");
  const ids = asked.flatMap(({ touch, ruleId }) => [
    ...coveringRules(rules, touch, facts)
      .filter(({ effect }) => effect === "ask")
      .map((covering) => covering.ruleId),
    // Of a tree, a rule that speaks about a part of it may be the one that asks.
    ruleId,
  ]);
  return [...new Set(ids)].flatMap((id) => wanting.get(id ?? "") ?? []);
}

const approversOf = (ruleId: string, { roles, users, people = 1, requester = "may" }: ApproversSource): Approvers => ({
  ruleId,
  // Whoever names users means those and nobody else.
  roles: roles ?? (users === undefined ? null : []),
  users: users ?? (roles === undefined ? null : []),
  people,
  requester,
});
