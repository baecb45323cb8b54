import { openConditions } from "../../src/config/open-conditions.ts";
import type { CallFacts } from "../../src/domain/call-facts.ts";
import { EVERYTHING } from "../../src/domain/lease.ts";
import type { RuleSource } from "../../src/rules/rule.ts";
import { compileRules, type RuleSet } from "../../src/rules/rule-set.ts";

/** A call of this tool, as far as rules can see it. */
export const factsFor = (tool: string, more: Partial<CallFacts> = {}): CallFacts => ({
  tool,
  source: "builtin",
  containment: "process",
  touches: [],
  input: {},
  actor: "ann",
  project: "default",
  session: { id: "session_1", project: "default", lease: EVERYTHING },
  nowMs: Date.UTC(2026, 10, 15, 12),
  ...more,
});

/** Shared by all tests of a file: conditions hold no state that outlives an answer. */
export const conditions = openConditions();

export function rulesOf(sources: readonly RuleSource[], workspace = "/workspace"): RuleSet {
  const compiled = compileRules(sources, { workspace, conditions });
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.problems));
  return compiled.rules;
}
