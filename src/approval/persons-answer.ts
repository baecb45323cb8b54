import type { PersonsAnswer } from "../domain/question.ts";

/**
 * What somebody said, in our own words. Approvers and doors may be anybody's code: what is neither yes nor no, or has
 * nobody who said it, is no answer.
 */
export function personsAnswer(said: PersonsAnswer): PersonsAnswer {
  const { kind, who, reason } = said;
  const isAnswer = (kind === "approve" || kind === "reject") && typeof who === "string";
  if (!isAnswer || (reason !== undefined && typeof reason !== "string")) {
    throw new TypeError("an answer is `approve` or `reject`, and says who gave it");
  }
  return { kind, who, ...(reason !== undefined && { reason }) };
}
