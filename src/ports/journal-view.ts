import type { Entry } from "../domain/entry.ts";
import type { CallState } from "../domain/state.ts";

/** What the journal has of a call. */
export interface CallRecord {
  readonly callId: string;
  readonly state: CallState;
  readonly tool: string;
  readonly project: string;
  readonly sessionId: string;
  /** Null: nobody was asked. */
  readonly approvalId: string | null;
  /** The number of the last entry about it. */
  readonly lastSeq: number;
}

export interface CallFilter {
  readonly project: string;
  readonly states?: readonly CallState[];
  readonly tool?: string;
  readonly sessionId?: string;
  /** Only older ones than this. */
  readonly before?: string;
  readonly limit: number;
}

/** The newest first. `next` is null where there are no more. */
export interface CallPage {
  readonly calls: readonly CallRecord[];
  readonly next: string | null;
}

export interface QuestionFilter {
  readonly project: string;
  readonly status: "open" | "answered" | "any";
  /** Only older ones than this. */
  readonly before?: string;
  readonly limit: number;
}

/** An open question and until when it can be answered. */
export interface OpenDeadline {
  readonly approvalId: string;
  readonly deadlineMs: number;
}

/** Those that were asked behind one. */
export interface DeadlinePage {
  readonly after: string;
  readonly limit: number;
}

/** Told how far the ledger goes at least, where that is known without a look; null = it is not. */
export type Changed = (lastSeq: number | null) => void;

/** The journal for those who only look. */
export interface JournalView {
  /** The number of the last entry; 0 = there is none. */
  readonly lastSeq: () => number;
  readonly entries: (from: number, to: number) => readonly Entry[];
  /** Reads what lies between the first and the last of them: the longer a call took, the more of others' that is. */
  readonly entriesOf: (callId: string) => readonly Entry[];
  /** Those that tell where it stands: of its first change, its answer and its last one. Costs the same for every call. */
  readonly stepsOf: (callId: string) => readonly Entry[];
  readonly call: (callId: string) => CallRecord | null;
  readonly calls: (filter: CallFilter) => CallPage;
  /** The ids of questions, the newest first. */
  readonly questions: (filter: QuestionFilter) => readonly string[];
  /** The calls whose questions are open, the oldest first. */
  readonly askedCalls: (project: string, limit: number) => readonly string[];
  /** Of open questions, in the order in which they were asked: ids sort by time. */
  readonly deadlines: (project: string, page: DeadlinePage) => readonly OpenDeadline[];
  /** The questions of calls that were approved and that nobody runs. */
  readonly approved: (project: string) => readonly string[];
  /** Told of every change, of this process at once and of others soon. */
  readonly watch: (changed: Changed) => () => void;
  readonly close: () => void;
}
