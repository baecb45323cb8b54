import { type JudgedCall, type PlannedCall, pass, refuse, type TouchVerdict } from "../domain/call.ts";
import { isStricter } from "../domain/decision.ts";
import { digestOf } from "../domain/digest.ts";
import type { Refusal } from "../domain/outcome.ts";
import { type Grant, NO_GRANT, type Plan, type Seal } from "../domain/plan.ts";
import type { Clock } from "../ports/clock.ts";
import type { RuleBook, Rules } from "../ports/rule-book.ts";
import { isExpired, outsideLease } from "../rules/lease.ts";
import { riskOf } from "../rules/risk.ts";
import { deniedBy } from "./denied-by.ts";
import type { Stage } from "./stage.ts";

/** Fourth stage. Lease, then rules; the strictest answer wins, and what it was given for is sealed. */
export const judge: Stage<PlannedCall, JudgedCall, { ruleBook: RuleBook; clock: Clock }> = (
  call,
  { ruleBook, clock },
) => {
  const beyond = leaseRefusal(call, clock);
  if (beyond) return refuse(beyond);

  const rules = ruleBook.current();
  const touches = call.plan.touches.map((touch) => rules.judge(touch, call.plan.tool));
  const strictest = touches.reduce((a, b) => (isStricter(b.effect, a.effect) ? b : a));
  if (strictest.effect === "deny" || strictest.ruleId === null) return refuse(deniedBy(strictest, call.plan));

  const verdict = {
    effect: strictest.effect,
    ruleId: strictest.ruleId,
    touches: touches satisfies readonly TouchVerdict[],
    risk: riskOf(call.plan.touches),
  };
  return pass({ ...call, verdict, seal: sealed(call.plan, NO_GRANT, rules) });
};

function leaseRefusal({ session, plan }: PlannedCall, clock: Clock): Refusal | null {
  const { lease } = session;
  if (isExpired(lease, clock.nowMs())) {
    return {
      code: "LEASE_EXPIRED",
      stage: "judge",
      message: "the session's lease has expired",
      hint: "open a new session",
    };
  }
  const outside = outsideLease(lease, plan.tool, plan.touches, plan.workspace);
  if (outside === null) return null;
  return {
    code: "LEASE_SCOPE",
    stage: "judge",
    message: `the lease does not cover ${outside}`,
    hint: "ask for a wider lease",
  };
}

const sealed = (plan: Plan, grant: Grant, rules: Rules): Seal => ({
  digest: digestOf({ grant, plan, rulesHash: rules.hash }),
  grant,
  rulesHash: rules.hash,
});
