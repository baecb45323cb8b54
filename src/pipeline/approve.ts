import type { AutomaticAnswer } from "../domain/automatic-answer.ts";
import { type ApprovedCall, type JudgedCall, pass, refuse, type Step } from "../domain/call.ts";
import type { Refusal } from "../domain/outcome.ts";
import { unruledDigest } from "../domain/plan.ts";
import type { Answered, PersonsAnswer, ShownPlan } from "../domain/question.ts";
import { approvedCall, judgedCall } from "./call-states.ts";

/** Fifth stage, where no question is needed: a rule's allow. */
export const approvedByRule = (call: JudgedCall): ApprovedCall =>
  approvedCall(call, { by: "rule", who: call.verdict.ruleId });

/**
 * Fifth stage, where policies or governors were heard: a rule allows it and nobody objects, or one of them answers the
 * question. Its touches still say who asked.
 */
export function approvedAsHeard(call: JudgedCall, answer: AutomaticAnswer): ApprovedCall {
  const { verdict } = call;
  if (answer.kind !== "approve" || verdict.effect === "allow")
    return approvedCall(call, { by: "automatic", who: verdict.ruleId });
  const { who } = answer;
  return approvedCall(judgedCall(call, { ...verdict, effect: "allow", ruleId: who }, call.seal, call.preview), {
    by: "automatic",
    who,
  });
}

/** What a person was asked about: the digest of the sealed plan, and of the plan without rules and grants. */
export type AskedFor = Pick<ShownPlan, "digest" | "planDigest">;

/**
 * Fifth stage, where a person said yes. A question takes time: `call` is what would run now, and has to be what was
 * approved, to the byte. Rules that changed meanwhile so that they allow this very plan need no person's word any more:
 * "always" does that.
 */
export function approvedByPerson(call: JudgedCall, asked: AskedFor, { who }: PersonsAnswer): Step<ApprovedCall> {
  if (call.seal.digest === asked.digest) return pass(approvedCall(call, { by: "person", who }));
  const isAllowedNow = call.verdict.effect === "allow" && unruledDigest(call.plan, call.seal) === asked.planDigest;
  return isAllowedNow ? pass(approvedByRule(call)) : refuse(STALE);
}

/** What the caller is told where the answer was not yes. */
export function notApproved(answer: Exclude<Answered, { kind: "approve" }>): Refusal {
  switch (answer.kind) {
    case "reject":
      return no(
        "APPROVAL_REJECTED",
        `${answer.who} said no${answer.reason ? `: ${answer.reason}` : ""}`,
        "do it another way",
      );
    case "expired":
      return no("APPROVAL_EXPIRED", "nobody answered in time", "call again while somebody is there to answer");
    case "cancelled":
      if (answer.why === "revoked")
        return no("LEASE_REVOKED", "the session was closed or its lease revoked while the question was open");
      return no("CANCELLED", "the call was cancelled while its question was open");
    default:
      return answer satisfies never;
  }
}

type NoCode = "APPROVAL_REJECTED" | "APPROVAL_EXPIRED" | "CANCELLED" | "LEASE_REVOKED";

const no = (code: NoCode, message: string, hint?: string): Refusal => ({
  code,
  stage: "approve",
  message,
  ...(hint && { hint }),
});

export const STALE: Refusal = {
  code: "APPROVAL_STALE",
  stage: "approve",
  message: "what was approved is no longer what would run: a file, a rule or the tool changed meanwhile",
  hint: "make the call again and look at it anew",
};
