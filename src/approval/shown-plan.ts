import { setImmediate as turn } from "node:timers/promises";
import type { JudgedCall } from "../domain/call.ts";
import { isLong } from "../domain/is-long.ts";
import { unruledDigest } from "../domain/plan.ts";
import type { NewQuestion, ShownPlan } from "../domain/question.ts";
import type { Redactor } from "../redact/redactor.ts";
import { touchesByHazard } from "../rules/touch-hazard.ts";
import type { Concerned } from "./concerned-by.ts";

/**
 * What a person sees of a call before it runs: all of it, with the operator's secrets by name. What only looks like a secret
 * stays: a guess that hides a part of what will run would let it be approved unseen.
 */
export async function shownPlan(
  { plan, verdict, seal, actor, preview }: JudgedCall,
  redactor: Redactor,
  { approvers, openedBy }: Concerned = { approvers: [], openedBy: [] },
): Promise<ShownPlan> {
  const asked = verdict.touches.filter(({ effect }) => effect === "ask");
  const reasons = asked.map(({ because }) => because).filter((reason) => reason !== null);
  const change = await preview?.();
  const shown = {
    plan,
    risk: verdict.risk,
    ruleId: verdict.ruleId,
    touches: touchesByHazard(verdict.touches, plan),
    ...shownGrant(seal),
    reasons: [...new Set(reasons)],
    ...(approvers.length > 0 && { approvers }),
    actor,
    ...(openedBy.length > 0 && { openedBy }),
    ...(change && { preview: change }),
  };
  // The digests stay: they are of what will run, and not of what is shown. Of megabytes each takes a while, and others go in between.
  const long = isLong(plan.input);
  const { digest } = seal;
  if (long) await turn();
  const planDigest = unruledDigest(plan, seal);
  if (long) await turn();
  return { digest, planDigest, ...(await redactor.certain.redactInSlices(shown)) };
}

/** For a question: what is shown while it is open, and what stays of it afterwards. */
export async function shownAndLater(
  call: JudgedCall,
  redactor: Redactor,
  concerned: Concerned,
): Promise<Pick<NewQuestion, "shown" | "shownLater">> {
  const shown = await shownPlan(call, redactor, concerned);
  const shownLater = await redactor.redactInSlices(shown);
  return shownLater === shown ? { shown } : { shown, shownLater };
}

/** Every program may read something: where there is nothing at all, there is no program. */
function shownGrant({ grant: { read, write, connect } }: JudgedCall["seal"]): Pick<ShownPlan, "grant"> {
  return read.length + write.length + connect.length === 0 ? {} : { grant: { read, write, connect } };
}
