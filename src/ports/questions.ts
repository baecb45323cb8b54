import type { Question } from "../domain/question.ts";

/** What ends a wait. An `AbortSignal` is one; who makes many of them need not pay for all that it can do beside. */
export interface Stop {
  readonly aborted: boolean;
  readonly addEventListener: (type: "abort", listener: () => void) => void;
  readonly removeEventListener: (type: "abort", listener: () => void) => void;
}

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
  readonly answered: (approvalId: string, signal: Stop) => Promise<Question | null>;
}
