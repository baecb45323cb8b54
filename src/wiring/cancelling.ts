import { type Voter, whyNotEligible } from "../approval/eligible.ts";
import type { Refusal } from "../domain/outcome.ts";
import type { Approvals } from "./approvals.ts";
import type { Execution } from "./execution.ts";

export type CancelResult =
  /** It ends now, or has been told to: its outcome says what became of it. */
  | { readonly kind: "cancelled" }
  | { readonly kind: "unknown" }
  /** It has ended already. */
  | { readonly kind: "over"; readonly execution: Execution }
  /** Another process runs it. */
  | { readonly kind: "elsewhere" }
  /** Its question is open, and it is not for them to answer. */
  | { readonly kind: "ineligible"; readonly because: string }
  | { readonly kind: "failed"; readonly refusal: Refusal };

/** INVARIANT (no by another name): who may not say no to a question can't take it back either. Null: they can. */
export async function whyNotTheirs(
  { state, approvalId }: Execution,
  by: Voter,
  approvals: Pick<Approvals, "find">,
): Promise<string | null> {
  if (state !== "awaiting_approval" || approvalId === null) return null;
  const question = await approvals.find(approvalId);
  return question === null ? null : whyNotEligible(question.shown, by);
}
