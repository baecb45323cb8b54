import type { CallFacts } from "../domain/call-facts.ts";
import { EVERYTHING } from "../domain/lease.ts";
import type { Touch } from "../domain/touch.ts";
import { quoted } from "../domain/visible.ts";
import type { PatternError } from "./pattern-error.ts";
import type { Rule, RuleExamples } from "./rule.ts";
import { patternsFor } from "./rule-index.ts";
import { coverageOf, textOf } from "./subject.ts";
import { touchesFromWords } from "./touches-from-words.ts";

/** One example of a rule, tried. */
export interface ExampleResult {
  readonly ruleId: string;
  /** As `examples.match[1]`. */
  readonly field: string;
  readonly example: string;
  readonly wanted: "match" | "noMatch";
  readonly holds: boolean;
  /** Why it could not be tried. */
  readonly because?: PatternError;
}

/** An example names touches, and is tried as if a tool that the rule names did it. */
export const triedExamples = (rule: Rule, examples: RuleExamples = {}, workspace: string): readonly ExampleResult[] =>
  (["match", "noMatch"] as const).flatMap((wanted) =>
    (examples[wanted] ?? []).map((example, index) => {
      const touches = touchesFromWords(example, workspace);
      const covers = "error" in touches ? touches : speaksFor(rule, touches);
      const tried = { ruleId: rule.id, field: `examples.${wanted}[${index}]`, example, wanted };
      if (typeof covers === "object") return { ...tried, holds: false, because: covers };
      return { ...tried, holds: covers === (wanted === "match") };
    }),
  );

export const exampleProblem = ({ example, wanted, because }: ExampleResult): PatternError =>
  because ?? {
    error: `the rule ${wanted === "match" ? "does not cover" : "covers"} its example ${quoted(example)}`,
    hint: wanted === "match" ? "widen the rule, or take the example out" : "narrow the rule, or take the example out",
  };

/** To allow a command line is to allow all that it touches; to deny it or ask about it, one touch is enough. */
function speaksFor(rule: Rule, touches: readonly Touch[]): boolean | PatternError {
  let covers = rule.effect === "allow";
  for (const touch of touches) {
    const one = isCovered(rule, touch);
    if (typeof one === "object") return one;
    covers = rule.effect === "allow" ? covers && one : covers || one;
  }
  return covers;
}

function isCovered(rule: Rule, touch: Touch): boolean | PatternError {
  const { condition } = rule;
  const text = textOf(touch);
  if (!patternsFor(rule, touch.kind).some((pattern) => coverageOf(pattern, touch, text, rule.effect) === "yes"))
    return false;
  if (condition === null) return true;
  // An example says nothing of the call that touches: an answer about it would be made up.
  const unsaid = [...condition.names].find((name) => name !== "touch" && name !== "risk");
  if (unsaid !== undefined)
    return { error: `an example can't be tried, since the condition asks about \`${unsaid}\``, hint: "take it out" };
  const answer = condition.decide(touch, exampleFacts(touch));
  return typeof answer === "object" ? { error: `an example can't be tried: ${answer.fault}` } : answer;
}

const exampleFacts = (touch: Touch): CallFacts => ({
  tool: "example",
  source: "builtin",
  containment: "process",
  touches: [touch],
  input: {},
  actor: "example",
  project: "default",
  session: { id: "example", project: "default", lease: EVERYTHING },
  nowMs: 0,
});
