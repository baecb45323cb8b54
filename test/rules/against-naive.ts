import * as fc from "fast-check";
import { expect } from "vitest";
import { compileRules } from "../../src/rules/rule-set.ts";
import { someRules, someTool, someTouch, WORKSPACE } from "./arbitrary-rules.ts";
import { naiveJudge } from "./naive-rules.ts";

const TOUCHES_PER_SET = 20;

/** Random rules, each with random touches: the same effect and the same rule as the naive evaluator's. */
export function expectNaiveDecisions(decisions: number): void {
  const seen = { allow: 0, ask: 0, deny: 0 };
  const touches = fc.array(fc.tuple(someTouch, someTool), { minLength: TOUCHES_PER_SET, maxLength: TOUCHES_PER_SET });
  void fc.assert(
    fc.property(someRules, touches, (sources, touches) => {
      const compiled = compileRules(sources, { workspace: WORKSPACE });
      if (!compiled.ok) throw new Error(JSON.stringify(compiled.problems));
      for (const [touch, tool] of touches) {
        const { effect, ruleId } = compiled.rules.judge(touch, tool);
        seen[effect]++;
        const wanted = naiveJudge(sources, WORKSPACE, touch, tool);
        if (effect !== wanted.effect || ruleId !== wanted.ruleId) {
          throw new Error(`${effect} by ${ruleId}, not ${JSON.stringify(wanted)}: ${tool} ${JSON.stringify(touch)}`);
        }
      }
    }),
    { numRuns: decisions / TOUCHES_PER_SET },
  );
  // A generator under which nothing is ever allowed would prove nothing.
  for (const times of Object.values(seen)) expect(times).toBeGreaterThan(decisions / 20);
}
