import type { Problem } from "./answers.ts";

/** The server did not take the request. What became of a call is an outcome, and never thrown. */
export class ProblemError extends Error {
  readonly code: string;
  readonly status: number;
  /** With members of its own, like `winner` or `retry_after`. */
  readonly problem: Problem & Readonly<Record<string, unknown>>;

  constructor(problem: Problem & Readonly<Record<string, unknown>>) {
    super(`${problem.code}: ${problem.detail}`);
    this.name = "ProblemError";
    this.code = problem.code;
    this.status = problem.status;
    this.problem = problem;
  }
}
