import type { Question } from "../domain/question.ts";

/** What the journal knows of questions. Answers are changes of the call, and so go through `Journal.commit`. */
export interface Questions {
  /** Open ones of a project, the oldest first; `after` is the last id of the page before. */
  readonly open: (
    project: string,
    page: { readonly limit: number; readonly after?: string },
  ) => Promise<readonly Question[]>;
  /** By the question's own id. Null: there is none. */
  readonly find: (approvalId: string) => Promise<Question | null>;
  /** The one that a call raised. Null: it raised none. */
  readonly ofCall: (callId: string) => Promise<Question | null>;
  /** Comes back once the question has an answer, whoever gave it; null when the signal aborts before. */
  readonly answered: (approvalId: string, signal: AbortSignal) => Promise<Question | null>;
}
