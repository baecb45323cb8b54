import type { Question } from "../../domain/question.ts";
import { problem } from "../wire/problem.ts";
import { approvalFrom } from "./approval-record.ts";

/** Somebody was faster, or nobody was fast enough. */
export function answeredBefore(question: Question): Response {
  const winner = approvalFrom(question);
  return question.answer?.kind === "expired"
    ? problem("APPROVAL_EXPIRED", { detail: "the deadline of this question is over", more: { winner } })
    : problem("APPROVAL_CONFLICT", { detail: `the question was answered before: ${winner.status}`, more: { winner } });
}

export const noSuchQuestion = (): Response => problem("APPROVAL_UNKNOWN", { detail: "there is no such question" });
