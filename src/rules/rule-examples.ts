import type { CallFacts } from "../domain/call-facts.ts";
import { EVERYTHING } from "../domain/lease.ts";
import type { Touch } from "../domain/touch.ts";
import { quoted } from "../domain/visible.ts";
import type { PatternError } from "./pattern-error.ts";
import type { Rule, RuleExamples } from "./rule.ts";
import { subjectOf } from "./subject.ts";
import { touchFromWords } from "./touch-from-words.ts";

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

/** An example names a touch, and is tried as if a tool that the rule names did it. */
export const triedExamples = (rule: Rule, examples: RuleExamples = {}, workspace: string): readonly ExampleResult[] =>
  (["match", "noMatch"] as const).flatMap((wanted) =>
    (examples[wanted] ?? []).map((example, index) => {
      const touch = touchFromWords(example, workspace);
      const covers = "error" in touch ? touch : isCovered(rule, touch);
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

function isCovered({ kinds, condition, effect }: Rule, touch: Touch): boolean | PatternError {
  if (kinds === null && touch.kind === "unknown" && effect === "allow") return false;
  const patterns = kinds === null ? null : kinds.get(touch.kind);
  const { text } = subjectOf(touch);
  if (patterns === undefined || patterns?.some((pattern) => pattern.matches(text)) === false) return false;
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
