import type { RuleSource } from "../rules/rule.ts";
import { type Finding, REASONS } from "./finding.ts";
import type { Leaf } from "./leaf.ts";

/** How to see, and to change, what a rule of a description says. */
const HINTS: Partial<Record<Finding["reason"], string>> = {
  "low-trust": "; `trust` of its entry in `tools.atip` says more",
  unsafe: "; `trust` of its entry in `tools.atip` says more",
  unsigned: "; `sha256` of its entry in `tools.atip` pins the program",
};

/**
 * What is found about commands, as rules: one for each reason, which names its tools. They ask or deny, so that no rule
 * of the operator's is ever widened by a description, and `explain` names the one that spoke.
 */
export function policyRules(
  prefix: string,
  leaves: readonly Leaf[],
  findingsOf: (leaf: Leaf) => readonly Finding[],
): readonly RuleSource[] {
  const groups = new Map<string, { readonly finding: Finding; readonly tools: Set<string> }>();
  for (const leaf of leaves) {
    for (const finding of findingsOf(leaf)) {
      const key = `${finding.effect} ${finding.reason}`;
      const group = groups.get(key) ?? { finding, tools: new Set() };
      group.tools.add(leaf.name);
      groups.set(key, group);
    }
  }
  // Some commands may be denied and others asked about for one reason: then the second has a longer id.
  const idOf = ({ effect, reason }: Finding): string =>
    `${prefix}:${reason}${effect === "ask" && groups.has(`deny ${reason}`) ? "-ask" : ""}`;
  return [...groups.values()].toSorted(byReason).map(({ finding, finding: { effect, reason, because }, tools }) => ({
    id: idOf(finding),
    effect,
    tools: [...tools],
    // Each of its calls starts its program, so one touch is enough; a rule about all touches would be one about grants too.
    touch: { exec: ["**"] },
    dynamic: true,
    // Where no rule lets the command run at all, there is nothing to ask about.
    ...(effect === "ask" && { tightens: true as const }),
    because: `${because}${HINTS[reason] ?? ""}`,
  }));
}

const byReason = (a: { readonly finding: Finding }, b: { readonly finding: Finding }): number =>
  REASONS.indexOf(a.finding.reason) - REASONS.indexOf(b.finding.reason);
