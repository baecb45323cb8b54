import * as fc from "fast-check";
import { expect } from "vitest";
import { someFacts, someRules, someTouch, WORKSPACE } from "./arbitrary-rules.ts";
import { naiveJudge } from "./naive-rules.ts";
import { rulesOf } from "./sample-facts.ts";

const TOUCHES_PER_SET = 20;

/** Random rules, each with random touches: the same effect, the same rule and the same faults as the naive evaluator. */
export function expectNaiveDecisions(decisions: number): void {
  const seen = { allow: 0, ask: 0, deny: 0, fault: 0 };
  const touches = fc.array(fc.tuple(someTouch, someFacts), { minLength: TOUCHES_PER_SET, maxLength: TOUCHES_PER_SET });
  void fc.assert(
    fc.property(someRules, touches, (sources, touches) => {
      const rules = rulesOf(sources, WORKSPACE);
      for (const [touch, facts] of touches) {
        const { effect, ruleId, fault } = rules.judge(touch, facts);
        seen[fault === undefined ? effect : "fault"]++;
        const wanted = naiveJudge(sources, WORKSPACE, touch, facts);
        const found = { effect, ruleId, isFault: fault !== undefined };
        if (JSON.stringify(found) !== JSON.stringify(wanted)) {
          throw new Error(`${JSON.stringify(found)}, not ${JSON.stringify(wanted)}: ${JSON.stringify(touch)}`);
        }
      }
    }),
    { numRuns: decisions / TOUCHES_PER_SET },
  );
  // A generator under which nothing is ever allowed would prove nothing.
  for (const times of Object.values(seen)) expect(times).toBeGreaterThan(decisions / 100);
}
