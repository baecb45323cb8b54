import type { JudgedCall } from "../domain/call.ts";
import type { EntryDraft } from "../domain/entry.ts";
import type { Receipt, Refusal } from "../domain/outcome.ts";
import type { Answered, NewQuestion, PersonsAnswer, ShownPlan } from "../domain/question.ts";
import type { CallState } from "../domain/state.ts";

/** Under which id, and until when. */
export type AskedAs = Pick<NewQuestion, "approvalId" | "deadlineMs">;

/** What somebody here said. */
export type GivenHere = PersonsAnswer & {
  /** As the door has verified them. Left out: whoever is at this machine. */
  readonly roles?: readonly string[] | undefined;
  /** Done once the answer is the one that counts, and not before: saving a rule of "always". */
  readonly onCounted?: () => Promise<unknown>;
};

/** Somebody who can be asked right here: the person at this terminal. */
export interface Approver {
  /** Null: nobody here answers, and the question waits for another door. The signal ends the asking. */
  readonly ask: (question: ShownPlan, asked: AskedAs, signal: AbortSignal) => Promise<GivenHere | null>;
}

/**
 * A yes that is in no ledger yet: it is written in the very change that it lets happen, so that both share one sync.
 * What would run is judged before, and has to be what was asked about.
 */
export interface UnwrittenYes {
  readonly answer: PersonsAnswer & { readonly kind: "approve" };
  readonly entry: (at: string) => EntryDraft;
  /** Null: it is still to be written. Otherwise it is written by itself, and comes with whether it counts. */
  readonly apart: () => Promise<boolean> | null;
  /** It is durable now, and this is what the call became by it. */
  readonly written: (receipt: Receipt, became: CallState) => void;
}

/** How a question ended. */
export type Settled =
  | { readonly kind: "answered"; readonly answer: Answered; readonly receipt: Receipt }
  /** The answer could not be recorded, so it is none. */
  | { readonly kind: "failed"; readonly refusal: Refusal };

/** Where questions are answered, on whichever door first. */
export interface Desk {
  /** The question that a call raises. */
  readonly question: (call: JudgedCall) => Promise<NewQuestion>;
  /** Comes back with the one answer that counts, once it is durable. */
  readonly settle: (call: JudgedCall, question: NewQuestion, signal: AbortSignal) => Promise<Settled>;
}
