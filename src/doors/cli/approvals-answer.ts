import type { PersonsAnswer, Question } from "../../domain/question.ts";
import { visibleJson } from "../../domain/visible.ts";
import type { Gate } from "../../wiring/gate.ts";
import type { Invocation } from "./command.ts";
import { EXIT, OUTCOME_EXIT } from "./exit-codes.ts";
import { knownQuestion } from "./known-question.ts";
import { proposeAlways } from "./propose-always.ts";
import { showOutcome } from "./show-outcome.ts";
import { answerInWords, questionText } from "./show-question.ts";
import { showRefusal } from "./show-refusal.ts";

/** `approvals approve ID` and `approvals reject ID`. */
export const answerCommand =
  (kind: PersonsAnswer["kind"]) =>
  async (gate: Gate, invocation: Invocation, signal: AbortSignal): Promise<number> => {
    const question = await knownQuestion(gate, invocation);
    if (question === null) return OUTCOME_EXIT.refused;
    const { flags, terminal } = invocation;
    // INVARIANT (shown whole): also who knows the id sees what it is that they approve.
    if (question.answer === null) terminal.err(questionText(question.shown, terminal));
    const save = flags["always"] ? await proposeAlways(question, kind, gate, terminal) : async () => {};
    return save === null ? OUTCOME_EXIT.refused : give(gate, question, { kind, save }, invocation, signal);
  };

/** Gives the answer; a call that nobody else holds is carried on here. */
export async function give(
  gate: Gate,
  { approvalId }: Question,
  { kind, save }: { readonly kind: PersonsAnswer["kind"]; readonly save: () => Promise<void> },
  { flags, terminal }: Invocation,
  signal: AbortSignal,
): Promise<number> {
  const { reason } = flags;
  const answer = { kind, who: gate.actor, ...(typeof reason === "string" && { reason }) };
  const result = await gate.approvals.answer(approvalId, answer);
  switch (result.kind) {
    case "recorded": {
      await save();
      const outcome = await gate.approvals.carryOn(result.question, signal);
      if (outcome !== null) {
        showOutcome(outcome, flags, terminal);
        return OUTCOME_EXIT[outcome.kind];
      }
      terminal.out(flags["json"] ? `${visibleJson({ kind, approvalId })}\n` : `${answerInWords(result.question)}\n`);
      return EXIT.ok;
    }
    case "conflict": {
      // Who approved it may have been killed before it ran: then nobody runs it, unless somebody says yes once more.
      const outcome = kind === "approve" ? await gate.approvals.carryOn(result.question, signal) : null;
      if (outcome !== null) {
        showOutcome(outcome, flags, terminal);
        return OUTCOME_EXIT[outcome.kind];
      }
      showRefusal(conflict(result.question), flags, terminal);
      return OUTCOME_EXIT.refused;
    }
    case "counted":
      terminal.out(
        flags["json"]
          ? `${visibleJson({ kind: "counted", approvalId, given: result.given, needed: result.needed })}\n`
          : `counted: ${result.given} of ${result.needed} people have said yes\n`,
      );
      return OUTCOME_EXIT.pending;
    case "ineligible":
      showRefusal(
        { code: "APPROVER_NOT_ELIGIBLE", stage: "approve", message: result.because, hint: "ask somebody who may" },
        flags,
        terminal,
      );
      return OUTCOME_EXIT.refused;
    case "unknown":
      showRefusal(GONE, flags, terminal);
      return OUTCOME_EXIT.refused;
    case "failed":
      showRefusal(result.refusal, flags, terminal);
      return OUTCOME_EXIT.refused;
    default:
      return result satisfies never;
  }
}

const conflict = (question: Question) => ({
  code: question.answer?.kind === "expired" ? ("APPROVAL_EXPIRED" as const) : ("APPROVAL_CONFLICT" as const),
  stage: "approve" as const,
  message: `the question has its answer already: ${answerInWords(question)}`,
  hint: `\`toolgate ledger show --call ${question.callId}\` tells what became of the call`,
});

const GONE = { code: "APPROVAL_UNKNOWN", stage: "approve", message: "there is no such question" } as const;
