import type { Approvers } from "./approvers.ts";
import type { Risk, TouchVerdict } from "./call.ts";
import type { Digest } from "./digest.ts";
import type { ShownGrant } from "./grant-in-words.ts";
import type { JsonValue } from "./json.ts";
import type { Session } from "./lease.ts";
import type { Receipt, Refusal } from "./outcome.ts";
import type { Plan } from "./plan.ts";
import type { CallState } from "./state.ts";

/** What a person said, or what became of a question that nobody answered. */
export type Answered =
  | { readonly kind: "approve"; readonly who: string; readonly reason?: string }
  | { readonly kind: "reject"; readonly who: string; readonly reason?: string }
  | { readonly kind: "expired" }
  /** The caller went away, or took the call back. */
  | { readonly kind: "cancelled" /** its session's lease was taken back */; readonly why?: "revoked" };

/** What a person can say. */
export type PersonsAnswer = Extract<Answered, { who: string }>;

/** A touch as an approver sees it. */
export interface ShownTouch extends TouchVerdict {
  /** Why it should be looked at first. */
  readonly hazard?: string;
}

/**
 * Everything the approver is shown. INVARIANT (shown whole): it holds all of the plan that the digest is over, redacted
 * by value and never cut; what can't be shown can't be approved.
 */
export interface ShownPlan {
  readonly digest: Digest;
  /** Without grants and rules, which may change while the question is open: `unruledDigest`. */
  readonly planDigest: Digest;
  readonly plan: Plan;
  readonly risk: Risk;
  /** The rule that asks. */
  readonly ruleId: string;
  /** The most hazardous first. */
  readonly touches: readonly ShownTouch[];
  /** What its programs may do by themselves. Left out: it runs none. */
  readonly grant?: ShownGrant;
  readonly reasons: readonly string[];
  /** Who has to say yes. Left out: anybody who may answer questions. */
  readonly approvers?: readonly Approvers[];
  readonly actor: string;
  /** Who opened the session that the call was made in, and those above it: where a rule says that a requester may not answer. */
  readonly openedBy?: readonly string[];
  /** A diff, where the tool makes one. */
  readonly preview?: string;
}

/** The call as it came in, kept apart from the ledger until it has been started or has ended. */
export interface KeptCall {
  readonly toolName: string;
  readonly rawInput: JsonValue;
  readonly session: Session;
  readonly actor: string;
  readonly receivedAtMs: number;
  readonly key?: string;
}

export interface NewQuestion {
  readonly approvalId: string;
  readonly project: string;
  readonly deadlineMs: number;
  readonly shown: ShownPlan;
  /** What stays of `shown` after the call has started or ended: no text that looks like a secret. Left out: all of it. */
  readonly shownLater?: ShownPlan;
  /** Null for an attended call: the process that holds it has it in memory, and nobody else may run it. */
  readonly kept: KeptCall | null;
  /** How many may be open when it is written, itself included. Left out: any number. */
  readonly room?: DeskRoom;
}

/** Counted in the very change that opens a question: calls at the same time can't take more between them. */
export interface DeskRoom {
  readonly openMax: number;
  /** How many of them one session, or one user in whatever sessions they name, may have; null = as many as of all. */
  readonly share: { readonly of: "session" | "user"; readonly max: number } | null;
  /** Those whose deadline is over by now don't count. */
  readonly nowMs: number;
}

/** A question as the store has it. */
export interface Question extends NewQuestion {
  readonly callId: string;
  /** Of the call. */
  readonly state: CallState;
  readonly sessionId: string;
  /** Who has said yes so far, where one is not enough. */
  readonly votes: readonly string[];
  /** Null while it is open. */
  readonly answer: Answered | null;
  /** Of the entry that tells of the answer. */
  readonly receipt: Receipt | null;
}

/** INVARIANT (no flood): who is asked more than they can read approves what they have not read. */
export const deskFull = ({ by, max }: FullDesk): Refusal => ({
  code: "RATE_LIMITED",
  stage: "approve",
  message:
    by === "all"
      ? `${max} questions wait for an answer already, and nobody is asked more than that`
      : `${max} questions of this ${by} wait for an answer already, and no more than that may be asked at a time`,
  hint: "answer some with `toolgate approvals`, or write a rule that answers them",
});

/** Which bound one more question would break. */
export interface FullDesk {
  readonly by: "all" | "session" | "user";
  readonly max: number;
}
