import type { Hold, Spending } from "../domain/budget.ts";
import type { Entry, EntryDraft, EntryKind } from "../domain/entry.ts";
import type { Receipt, Refusal } from "../domain/outcome.ts";
import type { Answered, NewQuestion } from "../domain/question.ts";
import type { CallState } from "../domain/state.ts";
import type { Keys } from "./keys.ts";
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
  /** What is to be held of budgets while the call runs. Without it the change is not made: `BUDGET_EXCEEDED`. */
  readonly hold?: Hold;
  /** What the call has used of what it held; `held` = nobody knows, and so all of it. */
  readonly spent?: Spending | "held";
  /** Of a call with a key that ends: its outcome as JSON, for whoever makes the same call again. */
  readonly replay?: string;
  /** Until when, at least. */
  readonly replayUntilMs?: number;
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
  | {
      readonly kind: "committed";
      /** Of the last entry. */
      readonly receipt: Receipt;
      /** Of the first entry, where there are several: an answer comes before what it lets happen. */
      readonly first?: Receipt;
      /** What a call that starts may use up at most. Left out = nothing is counted. */
      readonly held?: Spending;
    }
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
  readonly keys: Keys;
  /** What a lease's calls have used up, and hold. Throws where the journal can't be read. */
  readonly taken: (leaseId: string) => Spending;
  /** The same without what calls under way hold. */
  readonly used: (leaseId: string) => Spending;
  /** `SESSION_UNKNOWN` where the session is not what the change needs. */
  readonly changeSession: (change: SessionChange) => Promise<Committed>;
  readonly close: () => Promise<void>;
}
