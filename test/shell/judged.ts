import type { CallFacts } from "../../src/domain/call-facts.ts";
import { EVERYTHING } from "../../src/domain/lease.ts";
import type { Touch } from "../../src/domain/touch.ts";
import type { RuleSource } from "../../src/rules/rule.ts";
import { compileRules, type RuleSet } from "../../src/rules/rule-set.ts";
import { touchesFromWords } from "../../src/rules/touches-from-words.ts";

export const WORKSPACE = "/ws";

const FACTS: CallFacts = {
  tool: "run_command",
  source: "builtin",
  containment: "sandbox",
  touches: [],
  input: {},
  actor: "test",
  project: "default",
  session: { id: "test", project: "default", lease: EVERYTHING },
  nowMs: 0,
};

export function rulesFrom(...sources: readonly RuleSource[]): RuleSet {
  const compiled = compileRules(sources, { workspace: WORKSPACE });
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.problems));
  return compiled.rules;
}

/** One rule that allows these programs, or beginnings of commands, with whatever comes behind. */
export const allowing = (beginnings: readonly string[], { dynamic = false } = {}): RuleSet =>
  rulesFrom({ id: "friendly", effect: "allow", dynamic, touch: { exec: beginnings.map(beginningPattern) } });

const beginningPattern = (words: string): string =>
  `${words
    .split(" ")
    .map((word) => `'${word}'`)
    .join(" ")} **`;

/** As if each bare name were a program of the toolchain. */
export function touchesIn(line: string): readonly Touch[] {
  const touches = touchesFromWords(`exec ${line}`, WORKSPACE);
  return "error" in touches ? [{ kind: "unknown", reason: touches.error }] : touches;
}

/** The strictest answer for all that the line touches. */
export function decisionOn(rules: RuleSet, line: string, touches = touchesIn(line)): "allow" | "ask" | "deny" {
  const effects = touches.map((touch) => rules.judge(touch, FACTS).effect);
  return effects.includes("deny") ? "deny" : effects.includes("ask") ? "ask" : "allow";
}
