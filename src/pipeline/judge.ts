import { type JudgedCall, type PlannedCall, pass, refuse, type TouchVerdict } from "../domain/call.ts";
import { type CallFacts, factsOf } from "../domain/call-facts.ts";
import { isStricter } from "../domain/decision.ts";
import { type Digest, digestOf } from "../domain/digest.ts";
import type { Refusal } from "../domain/outcome.ts";
import { type Grant, NO_GRANT, type Plan, type Seal } from "../domain/plan.ts";
import type { FileTouch, Touch } from "../domain/touch.ts";
import type { Automatic } from "../ports/automatic.ts";
import type { Clock } from "../ports/clock.ts";
import type { Leases } from "../ports/leases.ts";
import type { RuleBook } from "../ports/rule-book.ts";
import { isExpired, uncoveredBy } from "../rules/lease.ts";
import { riskOf } from "../rules/risk.ts";
import { judgedCall, underLease } from "./call-states.ts";
import { deniedBy } from "./denied-by.ts";
import type { SyncStage } from "./stage.ts";

interface JudgePorts {
  readonly ruleBook: RuleBook;
  readonly clock: Clock;
  readonly leases: Leases;
  readonly automatic?: Pick<Automatic, "hash"> | undefined;
}

/** Fourth stage. Lease, then rules; the strictest answer wins, and what it was given for is sealed. */
export const judge: SyncStage<PlannedCall, JudgedCall, JudgePorts> = (
  planned,
  { ruleBook, clock, leases, automatic },
) => {
  const present = leases.present(planned.session);
  if ("refusal" in present) return refuse(present.refusal);
  const call = underLease(planned, present.lease);
  const facts = factsOf(call, clock.nowMs);
  const beyond = leases.exceeded(present.lease) ?? leaseRefusal(call, facts);
  if (beyond) return refuse(beyond);

  const rules = ruleBook.current();
  const judged = call.plan.touches.map((touch) => rules.judge(touch, facts));
  const granted = rules.grant({ facts, verdicts: judged });
  // What a program may do by itself can be more than its touches say: rules about that speak for the whole call.
  const spoken = granted === null || granted.spoken.length === 0 ? judged : [...judged, ...granted.spoken];
  const touches = call.plan.confirm === undefined ? spoken : [...spoken, confirmation(call.plan, call.plan.confirm)];
  const strictest = touches.reduce((a, b) => (isStricter(b.effect, a.effect) ? b : a));
  if (strictest.effect === "deny" || strictest.ruleId === null) return refuse(deniedBy(strictest, call.plan));

  const verdict = {
    effect: strictest.effect,
    ruleId: strictest.ruleId,
    touches: touches satisfies readonly TouchVerdict[],
    risk: riskOf(call.plan.touches),
  };
  const grant = withHidden(granted?.grant ?? NO_GRANT, touches);
  const seal = new PlanSeal(call.plan, grant, rules.hash, automatic?.hash() ?? null);
  const { preview } = call;
  const mayRead = (read: FileTouch): boolean => isCovered(read, call) && rules.judge(read, facts).effect === "allow";
  return pass(judgedCall(call, verdict, seal, preview && (() => preview(mayRead))));
};

const isCovered = (touch: Touch, { session, plan }: PlannedCall): boolean =>
  uncoveredBy(session.lease, plan.tool, [touch], plan.workspace) === null;

/** A tool that wants to be confirmed is asked about, and no rule takes that away. */
const confirmation = ({ touches: [touch] }: Plan, because: string): TouchVerdict => ({
  touch,
  effect: "ask",
  ruleId: CONFIRMATION,
  because,
});

export const CONFIRMATION = "tool:requires-confirmation";

/** What a tree holds that is read as a whole may have to be kept back as well. */
function withHidden(grant: Grant, touches: readonly TouchVerdict[]): Grant {
  if (touches.every((verdict) => verdict.hide === undefined)) return grant;
  const hide = new Set([...grant.hide, ...touches.flatMap((verdict) => verdict.hide ?? [])]);
  return { ...grant, hide: [...hide].sort() };
}

function leaseRefusal({ session, plan }: PlannedCall, facts: CallFacts): Refusal | null {
  const { lease } = session;
  if (isExpired(lease, facts)) {
    return {
      code: "LEASE_EXPIRED",
      stage: "judge",
      message: "the session's lease has expired",
      hint: "open a new session",
    };
  }
  const outside = uncoveredBy(lease, plan.tool, plan.touches, plan.workspace);
  if (outside === null) return null;
  const { because, hint } = outside.by.narrow ?? { because: null, hint: "ask for a wider lease" };
  const message = `the lease does not cover ${outside.what}${because === null ? "" : `: ${because}`}`;
  return { code: "LEASE_SCOPE", stage: "judge", message, hint };
}

/**
 * Hashes when the digest is first asked for: by the question, or by the entry that has to be durable before anything runs.
 * Plan and grant don't change in between, so it makes no difference when.
 */
class PlanSeal implements Seal {
  readonly grant: Grant;
  readonly rulesHash: Digest;
  declare readonly automaticHash?: Digest;
  readonly #plan: Plan;
  #digest: Digest | null = null;

  constructor(plan: Plan, grant: Grant, rulesHash: Digest, automaticHash: Digest | null) {
    this.#plan = plan;
    this.grant = grant;
    this.rulesHash = rulesHash;
    if (automaticHash !== null) this.automaticHash = automaticHash;
  }

  get digest(): Digest {
    this.#digest ??= this.#sealed();
    return this.#digest;
  }

  /** Where nothing answers by itself, nothing about that is sealed. */
  #sealed(): Digest {
    const { automaticHash, grant, rulesHash } = this;
    const plan = this.#plan;
    return automaticHash === undefined
      ? digestOf({ grant, plan, rulesHash })
      : digestOf({ automaticHash, grant, plan, rulesHash });
  }
}
