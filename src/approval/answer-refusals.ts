import type { Refusal } from "../domain/outcome.ts";

/** An answer to something else than the question is about. */
export const SHOWN_OTHER: Refusal = {
  code: "APPROVAL_STALE",
  stage: "approve",
  message: "the plan that was shown is not the one that this question is about",
  hint: "read the question again, and answer what it says",
};

/** The answer is there, and what it is can't be said. */
export const UNREADABLE: Refusal = {
  code: "LEDGER_UNAVAILABLE",
  stage: "journal",
  message: "the question was answered, and the answer can't be read back",
  hint: "`toolgate ledger verify` says what is wrong with the ledger",
};
