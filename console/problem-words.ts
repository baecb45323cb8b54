import type { Approval } from "../src/client/answers.ts";
import { ProblemError } from "../src/client/problem-error.ts";

/** Why something did not go, in a sentence for whoever looks at the screen. */
export function problemInWords(error: unknown): string {
  if (!(error instanceof ProblemError)) return "the server can't be reached";
  const { code, problem } = error;
  switch (code) {
    case "ROLE_REQUIRED":
      return `this token may not do that: ${problem.detail}`;
    case "APPROVER_NOT_ELIGIBLE":
      return `you may not answer this question: ${problem.detail}`;
    case "APPROVAL_CONFLICT":
      return `somebody was faster: ${answerInWords(winnerOf(error))}`;
    case "APPROVAL_EXPIRED":
      return "the deadline is over: nobody answered in time, and the call was not run";
    case "APPROVAL_UNKNOWN":
      return "there is no such question any more";
    default:
      return problem.hint === undefined ? problem.detail : `${problem.detail}; ${problem.hint}`;
  }
}

export const winnerOf = ({ problem }: ProblemError): Approval | null =>
  (problem["winner"] as Approval | undefined) ?? null;

type Answered = Pick<Approval, "status" | "resolved_by" | "reason">;

/** Who answered, and how. */
export function answerInWords(approval: Answered | null): string {
  if (approval === null) return "it has its answer";
  const { status, resolved_by: who, reason } = approval;
  const because = reason ? `, because: ${reason}` : "";
  switch (status) {
    case "approved":
      return `${who ?? "somebody"} approved it${because}`;
    case "rejected":
      return `${who ?? "somebody"} rejected it${because}`;
    case "timeout":
      return "nobody answered in time; the call was not run";
    case "cancelled":
      return `it was taken back by its caller${because}`;
    case "pending":
      return "it is open";
    default:
      return status satisfies never;
  }
}
