import type { Question } from "../../domain/question.ts";

/** A question as `--json` prints it: times as on every wire, and the unredacted call stays in the gate. */
export const questionJson = ({ kept: _, deadlineMs, ...question }: Question) => ({
  ...question,
  deadline: new Date(deadlineMs).toISOString(),
});
