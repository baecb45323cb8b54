import type { PersonsAnswer, Question } from "../../domain/question.ts";
import type { Proposal, ProposedRule, SavedRule } from "../../wiring/always.ts";
import type { Gate } from "../../wiring/gate.ts";
import { type Identity, maySaveRules } from "../wire/identity.ts";
import { problem } from "../wire/problem.ts";
import { answeredBefore, noSuchQuestion } from "./answer-problems.ts";

/** What "always" would save for each answer, for who may say it. Null: they may not, or it has its answer. */
export function alwaysFrom({ shown, answer }: Question, { roles }: Identity, { always }: Pick<Gate, "always">) {
  if (!maySaveRules(roles) || answer !== null) return null;
  return { approve: ruleFrom(always.propose(shown, "approve")), reject: ruleFrom(always.propose(shown, "reject")) };
}

const ruleFrom = (proposal: Proposal) =>
  proposal.ok
    ? { available: true, rule_id: proposal.rule.id, text: proposal.text, digest: proposal.digest }
    : { available: false, because: proposal.because, ...(proposal.hint !== undefined && { hint: proposal.hint }) };

interface Wanted {
  readonly approvalId: string;
  readonly kind: PersonsAnswer["kind"];
  /** Of the rule that was shown. */
  readonly digest: string;
}

/** The rule that was shown, and no other; or why it is not to be saved, and then nothing is answered either. */
export async function shownRule(
  { approvalId, kind, digest }: Wanted,
  { roles }: Identity,
  { approvals, always }: Pick<Gate, "approvals" | "always">,
): Promise<ProposedRule | Response> {
  if (!maySaveRules(roles)) {
    return problem("ROLE_REQUIRED", {
      detail: "only an administrator may save a rule",
      hint: "answer this question without `always`",
    });
  }
  const question = await approvals.find(approvalId);
  if (question === null) return noSuchQuestion();
  if (question.answer !== null) return answeredBefore(question);
  const proposal = always.propose(question.shown, kind);
  if (!proposal.ok) {
    const { because, hint } = proposal;
    return problem("RULE_UNAVAILABLE", { detail: because, ...(hint !== undefined && { hint }) });
  }
  // INVARIANT (shown = saved): the rules may have changed since it was shown, and then it is another one.
  if (proposal.digest === digest) return proposal;
  return problem("RULE_STALE", {
    detail: "always would save another rule by now than the one that was shown",
    hint: "read the question again, and look at its rule",
  });
}

/** What became of it. The answer counts in any case, if only once: as at the terminal. */
export const savedFrom = (saved: SavedRule) =>
  saved.ok
    ? { saved: true, rule_id: saved.ruleId, in_force: saved.isInForce }
    : { saved: false, because: saved.message, ...(saved.hint !== undefined && { hint: saved.hint }) };
