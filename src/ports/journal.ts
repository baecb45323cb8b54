import type { Entry, EntryDraft, EntryKind } from "../domain/entry.ts";
import type { Receipt, Refusal } from "../domain/outcome.ts";
import type { Answered, NewQuestion } from "../domain/question.ts";
import type { CallState } from "../domain/state.ts";
import type { Questions } from "./questions.ts";
import type { SessionChange, StoredSessions } from "./sessions.ts";

/** The row of a call that has none yet. */
export interface NewCall {
  readonly callId: string;
  readonly project: string;
  readonly sessionId: string;
  readonly owner: string;
  readonly host: string;
  readonly tool: string;
  readonly caller: "attended" | "detached";
}

interface ChangeOfAny {
  readonly callId: string;
  readonly to: CallState;
  /** Asked for once, while the change is written. */
  readonly entries: () => readonly [EntryDraft, ...EntryDraft[]];
  /** Given exactly when `to` is `awaiting_approval`. */
  readonly question?: NewQuestion;
}

interface FirstChange extends ChangeOfAny {
  readonly from: "received";
  readonly created: NewCall;
}

interface LaterChange extends ChangeOfAny {
  readonly from: CallState;
  readonly created?: never;
  /** How the question ended: given exactly when `from` is `awaiting_approval`. */
  readonly answer?: Answered;
  /** The process that takes the call over, where it is another one than before. */
  readonly takenBy?: NewCall;
}

/** One change of one call, with the entries that tell of it. All of it becomes durable, or none. */
export type Change = FirstChange | LaterChange;

export type Committed =
  | { readonly kind: "committed" /** of the last entry */; readonly receipt: Receipt }
  | { readonly kind: "failed"; readonly refusal: Refusal };

/** The last note of a kind; null = there is none yet. */
export type Noted =
  | { readonly kind: "read"; readonly entry: Entry | null }
  | { readonly kind: "failed"; readonly refusal: Refusal };

/** The durable memory: state of calls and ledger, changed together. */
export interface Journal {
  readonly commit: (change: Change) => Promise<Committed>;
  /** Tells the ledger of something that is no call. */
  readonly note: (entry: EntryDraft) => Promise<Committed>;
  readonly lastNote: (kind: EntryKind) => Promise<Noted>;
  readonly questions: Questions;
  readonly sessions: StoredSessions;
  /** `SESSION_UNKNOWN` where the session is not what the change needs. */
  readonly changeSession: (change: SessionChange) => Promise<Committed>;
  readonly close: () => Promise<void>;
}
