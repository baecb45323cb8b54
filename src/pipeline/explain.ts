import type { PlannedCall, RawCall, Risk, TouchVerdict } from "../domain/call.ts";
import { factsOf } from "../domain/call-facts.ts";
import type { Code } from "../domain/codes.ts";
import type { Effect } from "../domain/decision.ts";
import type { Digest } from "../domain/digest.ts";
import type { JsonObject } from "../domain/json.ts";
import type { InputError, Refusal } from "../domain/outcome.ts";
import type { Plan } from "../domain/plan.ts";
import { isFileTouch, type Touch } from "../domain/touch.ts";
import { riskOf } from "../rules/risk.ts";
import { judge } from "./judge.ts";
import { mapTexts } from "./map-texts.ts";
import { FAULT } from "./own-refusals.ts";
import type { PipelinePorts } from "./pipeline-ports.ts";
import { plan } from "./plan.ts";
import { resolve } from "./resolve.ts";
import { validate } from "./validate.ts";
import { withoutWorkspace } from "./without-workspace.ts";

export type ExplainedTouch = Touch & {
  readonly decision: Effect;
  readonly ruleId: string | null;
  readonly because: string | null;
  /** Of a tree: what inside it is kept from the tool. */
  readonly hide?: readonly string[];
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
  try {
    const value = await ports.redactor.redactInSlices(await explained(raw, ports, signal));
    const shown = (text: string): string => ports.redactor.withoutCutValues(text);
    return mapTexts(value as unknown as JsonObject, shown) as unknown as Explanation;
  } catch (cause) {
    // A call would be refused for the same fault.
    ports.faults.report(cause, { stage: "plan", callId: raw.callId });
    return unplanned(FAULT);
  }
}

/** Of a call that is refused before it is looked at. */
export function explainRefused(refusal: Refusal, { redactor }: Pick<PipelinePorts, "redactor">): Explanation {
  const shown = mapTexts(redactor.redactJson(refusal as unknown as JsonObject).value, (text) => redactor.message(text));
  return unplanned(shown as unknown as Refusal);
}

async function explained(raw: RawCall, ports: PipelinePorts, signal: AbortSignal): Promise<Explanation> {
  const resolved = resolve(raw, ports);
  if (resolved.kind === "refuse") return unplanned(withError(resolved.refusal));
  const valid = validate(resolved.call, ports);
  if (valid.kind === "refuse") return unplanned(valid.refusal);
  const planned = await plan(valid.call, ports, signal);
  if (planned.kind === "refuse") return unplanned(planned.refusal, ports.workspace);
  return await judgement(planned.call, ports);
}

async function judgement(planned: PlannedCall, ports: PipelinePorts): Promise<Explanation> {
  const judged = judge(planned, ports);
  const call = judged.kind === "refuse" ? withoutFolders(planned, ports) : planned;
  const rules = ports.ruleBook.current();
  const facts = factsOf(call, ports.clock.nowMs);
  const touches = call.plan.touches.map((touch) => explainedTouch(rules.judge(touch, facts)));
  const shown = { touches, risk: riskOf(call.plan.touches), plan: call.plan };
  // The digest of a file that may not be read would let its content be guessed.
  if (judged.kind === "refuse") {
    return { ...denied(judged.refusal), ...shown, plan: { ...call.plan, operands: [] }, digest: null };
  }
  const { verdict, seal } = judged.call;
  const reasons = verdict.touches.flatMap(({ because }) => (because === null ? [] : [because]));
  return {
    decision: verdict.effect,
    ruleId: verdict.ruleId,
    ...shown,
    reasons: [...new Set(reasons), ...((await ports.automatic?.foresee(judged.call)) ?? [])],
    digest: seal.digest,
  };
}

/** Where the file itself is refused, nobody is told which folders it lacks: that would say which of them are there. */
function withoutFolders(call: PlannedCall, ports: PipelinePorts): PlannedCall {
  const [first, ...rest] = call.plan.touches;
  const touches = [first, ...rest.filter((touch) => !isFileTouch(touch) || !touch.folder)] as const;
  const bare = { ...call, plan: { ...call.plan, touches } };
  return judge(bare, ports).kind === "refuse" ? bare : call;
}

const explainedTouch = ({ touch, effect, ruleId, because, hide }: TouchVerdict): ExplainedTouch => ({
  ...touch,
  decision: effect,
  ruleId,
  because,
  ...(hide && { hide }),
});

/** Whatever is wrong with what was asked for stands among the errors, the name of the tool too. */
const withError = (refusal: Refusal): Refusal => ({
  ...refusal,
  errors: [{ field: "tool", rule: "known_tool", message: refusal.message }],
});

export const unplanned = (refusal: Refusal, workspace = "/"): Explanation => ({
  ...denied({ ...refusal, message: withoutWorkspace(refusal.message, workspace) }),
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
