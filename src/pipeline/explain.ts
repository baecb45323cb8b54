import type { PlannedCall, RawCall, Risk, TouchVerdict } from "../domain/call.ts";
import type { Code } from "../domain/codes.ts";
import type { Effect } from "../domain/decision.ts";
import type { Digest } from "../domain/digest.ts";
import type { InputError, Refusal } from "../domain/outcome.ts";
import type { Plan } from "../domain/plan.ts";
import type { Touch } from "../domain/touch.ts";
import { riskOf } from "../rules/risk.ts";
import { judge } from "./judge.ts";
import { plan } from "./plan.ts";
import { resolve } from "./resolve.ts";
import type { PipelinePorts } from "./run.ts";
import { validate } from "./validate.ts";

export type ExplainedTouch = Touch & {
  readonly decision: Effect;
  readonly ruleId: string | null;
  readonly because: string | null;
};

/** Plan and decision of a call that is not made. */
export interface Explanation {
  readonly decision: Effect;
  readonly ruleId: string | null;
  readonly code?: Code;
  readonly touches: readonly ExplainedTouch[];
  readonly risk: Risk | null;
  readonly reasons: readonly string[];
  readonly hint?: string;
  readonly plan: Plan | null;
  readonly digest: Digest | null;
  readonly errors?: readonly InputError[];
}

/** The stages that read, and none that writes: the same ones a real call goes through. */
export async function explain(raw: RawCall, ports: PipelinePorts, signal: AbortSignal): Promise<Explanation> {
  const resolved = await resolve(raw, ports, signal);
  if (resolved.kind === "refuse") return unplanned(resolved.refusal);
  const valid = await validate(resolved.call, ports, signal);
  if (valid.kind === "refuse") return unplanned(valid.refusal);
  const planned = await plan(valid.call, ports, signal);
  if (planned.kind === "refuse") return unplanned(planned.refusal);
  return judgement(planned.call, ports, signal);
}

async function judgement(call: PlannedCall, ports: PipelinePorts, signal: AbortSignal): Promise<Explanation> {
  const rules = ports.ruleBook.current();
  const touches = call.plan.touches.map((touch) => explained(rules.judge(touch, call.plan.tool)));
  const shown = { touches, risk: riskOf(call.plan.touches), plan: call.plan };
  const judged = await judge(call, ports, signal);
  if (judged.kind === "refuse") return { ...denied(judged.refusal), ...shown, digest: null };
  const { verdict, seal } = judged.call;
  const reasons = touches.flatMap(({ because }) => (because === null ? [] : [because]));
  return {
    decision: verdict.effect,
    ruleId: verdict.ruleId,
    ...shown,
    reasons: [...new Set(reasons)],
    digest: seal.digest,
  };
}

const explained = ({ touch, effect, ruleId, because }: TouchVerdict): ExplainedTouch => ({
  ...touch,
  decision: effect,
  ruleId,
  because,
});

const unplanned = (refusal: Refusal): Explanation => ({
  ...denied(refusal),
  touches: [],
  risk: null,
  plan: null,
  digest: null,
});

const denied = (refusal: Refusal) => ({
  decision: "deny" as const,
  ruleId: refusal.ruleId ?? null,
  code: refusal.code,
  reasons: [refusal.message],
  ...(refusal.hint && { hint: refusal.hint }),
  ...(refusal.errors && { errors: refusal.errors }),
});
