import { LIMITS } from "../domain/limits.ts";
import type { PersonsAnswer } from "../domain/question.ts";

const LENGTH_MAX = LIMITS.answerLength.maximum;

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
  return { kind, who: shortened(who), ...(reason !== undefined && { reason: shortened(reason) }) };
}

const shortened = (text: string): string => [...text.slice(0, 2 * LENGTH_MAX)].slice(0, LENGTH_MAX).join("");
