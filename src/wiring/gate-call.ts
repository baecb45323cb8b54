import type { JsonValue } from "../domain/json.ts";
import type { Session } from "../domain/lease.ts";
import type { Outcome, Refusal } from "../domain/outcome.ts";
import type { Progress } from "../domain/tool.ts";
import type { Explanation } from "../pipeline/explain.ts";
import type { Op } from "../pipeline/foresee.ts";
import type { Approver } from "../ports/desk.ts";

/** A call as a program makes it. */
export interface GateCall {
  readonly tool: string;
  readonly input: JsonValue;
  /**
   * Whose lease binds it: what `gate.sessions` opened or checked. Left out: this gate's own, which is bound by nothing.
   * Given and undefined, as it is of a check that was refused: the call is refused.
   */
  readonly session?: Session;
  readonly actor?: string;
  /**
   * A name for this very call, so that making it again (after a lost answer) is not making it twice: for an hour whoever makes
   * it again under the same key hears what became of it. Empty = none.
   */
  readonly key?: string;
}

export interface CallOptions {
  /** Told the id that the call has, as soon as it has one. */
  readonly onMade?: (callId: string) => void;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
  /** Once the ledger has its start, just before it runs. */
  readonly onStarted?: () => void;
  /** What to do when a person has to be asked: wait for the answer, or come back with a `pending` outcome at once. */
  readonly whenAsked?: "wait" | "return";
  /** Who can be asked about this very call, in the place of the gate's own: the person behind a connection. */
  readonly approver?: Approver;
}

/** One of many: a call to be made, or only to be explained. */
export interface BatchCall extends GateCall {
  readonly op?: Op;
}

/** What a door could make no call of, and why: it is refused and recorded like any other call that has something wrong with it. */
export interface UnmadeCall extends BatchCall {
  readonly refusal: Refusal;
}

export type BatchCalls = Iterable<BatchCall | UnmadeCall> | AsyncIterable<BatchCall | UnmadeCall>;

export interface BatchOptions {
  /** How many run at a time. */
  readonly concurrency?: number;
  readonly signal?: AbortSignal;
  /** As for a single call. */
  readonly whenAsked?: CallOptions["whenAsked"];
}

/** For all calls of a model's response. */
export interface AnswerOptions extends BatchOptions, Pick<GateCall, "session" | "actor"> {}

/** The outcome of a call, the explanation of one that is only explained. */
export type BatchResult = Outcome | Explanation;
