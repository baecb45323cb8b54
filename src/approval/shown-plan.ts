import type { JudgedCall } from "../domain/call.ts";
import { digestOf } from "../domain/digest.ts";
import type { ShownPlan } from "../domain/question.ts";

/** What a person sees of a call before it runs: all of it. */
export async function shownPlan({ plan, verdict, seal, actor, preview }: JudgedCall): Promise<ShownPlan> {
  const asked = verdict.touches.filter(({ effect }) => effect === "ask");
  const reasons = asked.map(({ because }) => because).filter((reason) => reason !== null);
  return {
    digest: seal.digest,
    planDigest: digestOf(plan),
    plan,
    risk: verdict.risk,
    ruleId: verdict.ruleId,
    touches: verdict.touches,
    reasons: [...new Set(reasons)],
    actor,
    ...(preview && { preview: await preview() }),
  };
}
