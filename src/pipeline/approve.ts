import { type ApprovedCall, type JudgedCall, pass, refuse, type Step } from "../domain/call.ts";
import type { Digest } from "../domain/digest.ts";
import type { Refusal } from "../domain/outcome.ts";
import type { Answered, PersonsAnswer } from "../domain/question.ts";

/** Fifth stage, where no question is needed: a rule's allow. */
export const approvedByRule = (call: JudgedCall): ApprovedCall => ({
  ...call,
  approval: { by: "rule", who: call.verdict.ruleId },
});

/**
 * Fifth stage, where a person said yes. A question takes time: `call` is what would run now, and has to be what was
 * approved, to the byte.
 */
export const approvedByPerson = (call: JudgedCall, approved: Digest, { who }: PersonsAnswer): Step<ApprovedCall> =>
  call.seal.digest === approved ? pass({ ...call, approval: { by: "person", who } }) : refuse(STALE);

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
      return no("CANCELLED", "the call was cancelled while its question was open");
    default:
      return answer satisfies never;
  }
}

const no = (code: "APPROVAL_REJECTED" | "APPROVAL_EXPIRED" | "CANCELLED", message: string, hint?: string): Refusal => ({
  code,
  stage: "approve",
  message,
  ...(hint && { hint }),
});

const STALE: Refusal = {
  code: "APPROVAL_STALE",
  stage: "approve",
  message: "what was approved is no longer what would run: a file, a rule or the tool changed meanwhile",
  hint: "make the call again and look at it anew",
};
