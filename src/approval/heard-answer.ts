import type { AutomaticAnswer } from "../domain/automatic-answer.ts";
import type { Feedback } from "../domain/feedback.ts";
import type { Governors } from "../ports/governor.ts";
import type { AutoApproval, AutoObjection } from "../rules/auto-approval.ts";

export interface HeardAll {
  /** Those that approve. */
  readonly policies: readonly Pick<AutoApproval, "id" | "reason" | "optionId" | "skipsGovernors">[];
  /** Those that say no, or want a person. Left out: none. */
  readonly objections?: readonly Pick<AutoObjection, "id" | "says" | "reason">[];
  readonly feedback: readonly Feedback[];
  readonly autoDecision: Governors["autoDecision"];
}

/**
 * What all automatic answers come to. INVARIANT (veto): a no of any of them ends it, whatever anybody approved; a doubt,
 * or a governor that could not be heard, is for a person; only then one yes is enough.
 */
export function heardAnswer({ policies, objections = [], feedback, autoDecision }: HeardAll): AutomaticAnswer {
  const no = feedback.find(({ status }) => status === "reject");
  if (no) return { kind: "reject", who: governor(no), reason: no.messages[0] ?? null, feedback };
  const veto = objections.find(({ says }) => says === "reject");
  if (veto) return { kind: "reject", who: `policy:${veto.id}`, reason: veto.reason, feedback };
  const [policy] = policies;
  // Who was not heard may have meant no: that is never skipped.
  const skipsGovernors = policies.length > 0 && policies.every((one) => one.skipsGovernors);
  const doubt = feedback.find((one) => one.status === "error" || (!skipsGovernors && isDoubt(one)));
  if (doubt) return { kind: "person", who: governor(doubt), reason: doubtInWords(doubt), feedback };
  const [manual] = objections;
  if (manual) {
    const reason = manual.reason ?? `the policy \`${manual.id}\` says so`;
    return { kind: "person", who: `policy:${manual.id}`, reason, feedback };
  }
  if (policy) {
    const { reason, optionId } = policy;
    return { kind: "approve", who: `policy:${policy.id}`, reason, optionId, skipsGovernors, feedback };
  }
  if (autoDecision !== "all_approve" || feedback.length === 0) return { kind: "silent", feedback };
  const who = feedback.map(governor).join(" and ");
  const reason = feedback.find(({ messages }) => messages.length > 0)?.messages[0] ?? null;
  return { kind: "approve", who, reason, optionId: null, skipsGovernors: false, feedback };
}

const governor = ({ id }: Feedback): string => `governor:${id}`;

const isDoubt = ({ status, requiresManual }: Feedback): boolean => status === "needs_attention" || requiresManual;

const doubtInWords = ({ id, status, messages: [message] }: Feedback): string =>
  status === "error"
    ? `the governor \`${id}\` could not be heard${message === undefined ? "" : `: ${message}`}`
    : (message ?? `the governor \`${id}\` wants a person to look`);
