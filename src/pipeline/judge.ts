import { type JudgedCall, type PlannedCall, pass, refuse, type TouchVerdict } from "../domain/call.ts";
import { factsOf } from "../domain/call-facts.ts";
import { isStricter } from "../domain/decision.ts";
import { type Digest, digestOf } from "../domain/digest.ts";
import type { Refusal } from "../domain/outcome.ts";
import { type Grant, NO_GRANT, type Plan, type Seal } from "../domain/plan.ts";
import type { Clock } from "../ports/clock.ts";
import type { RuleBook } from "../ports/rule-book.ts";
import { isExpired, outsideLease } from "../rules/lease.ts";
import { riskOf } from "../rules/risk.ts";
import { deniedBy } from "./denied-by.ts";
import type { SyncStage } from "./stage.ts";

/** Fourth stage. Lease, then rules; the strictest answer wins, and what it was given for is sealed. */
export const judge: SyncStage<PlannedCall, JudgedCall, { ruleBook: RuleBook; clock: Clock }> = (
  call,
  { ruleBook, clock },
) => {
  const nowMs = clock.nowMs();
  const beyond = leaseRefusal(call, nowMs);
  if (beyond) return refuse(beyond);

  const rules = ruleBook.current();
  const facts = factsOf(call, nowMs);
  const touches = call.plan.touches.map((touch) => rules.judge(touch, facts));
  const strictest = touches.reduce((a, b) => (isStricter(b.effect, a.effect) ? b : a));
  if (strictest.effect === "deny" || strictest.ruleId === null) return refuse(deniedBy(strictest, call.plan));

  const verdict = {
    effect: strictest.effect,
    ruleId: strictest.ruleId,
    touches: touches satisfies readonly TouchVerdict[],
    risk: riskOf(call.plan.touches),
  };
  return pass({ ...call, verdict, seal: new PlanSeal(call.plan, grantOf(touches), rules.hash) });
};

/** No tool runs programs yet, so there is nothing to grant; only what a tree holds may have to be kept back. */
function grantOf(touches: readonly TouchVerdict[]): Grant {
  if (touches.every((verdict) => verdict.hide === undefined)) return NO_GRANT;
  const hide = new Set(touches.flatMap((verdict) => verdict.hide ?? []));
  return { ...NO_GRANT, hide: [...hide].sort() };
}

function leaseRefusal({ session, plan }: PlannedCall, nowMs: number): Refusal | null {
  const { lease } = session;
  if (isExpired(lease, nowMs)) {
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

/**
 * Hashes when the digest is first asked for: by the question, or by the entry that has to be durable before anything runs.
 * Plan and grant don't change in between, so it makes no difference when.
 */
class PlanSeal implements Seal {
  readonly grant: Grant;
  readonly rulesHash: Digest;
  readonly #plan: Plan;
  #digest: Digest | null = null;

  constructor(plan: Plan, grant: Grant, rulesHash: Digest) {
    this.#plan = plan;
    this.grant = grant;
    this.rulesHash = rulesHash;
  }

  get digest(): Digest {
    this.#digest ??= digestOf({ grant: this.grant, plan: this.#plan, rulesHash: this.rulesHash });
    return this.#digest;
  }
}
