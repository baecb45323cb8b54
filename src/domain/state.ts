/** The state of a call's row in the store. */
export type CallState =
  | "awaiting_approval"
  | "approved"
  | "executing"
  | "completed"
  | "failed"
  | "timed_out"
  | "cancelled"
  | "refused"
  | "rejected"
  | "expired"
  | "unknown";

type From = CallState | "received";

/**
 * INVARIANT (one end): every path through this table ends in exactly one state without successors.
 * `received` has no row of its own: the first commit of a call writes the state it has reached by then.
 */
const NEXT: Record<From, readonly CallState[]> = {
  received: ["awaiting_approval", "approved", "executing", "refused", "cancelled"],
  // A yes of one, where two are needed, leaves it where it is.
  awaiting_approval: ["awaiting_approval", "approved", "executing", "refused", "rejected", "expired", "cancelled"],
  approved: ["executing", "refused", "cancelled"],
  executing: ["completed", "failed", "timed_out", "cancelled", "unknown"],
  completed: [],
  failed: [],
  timed_out: [],
  cancelled: [],
  refused: [],
  rejected: [],
  expired: [],
  unknown: [],
};

/** What a call that waits for an answer becomes by a yes, and by nothing else. */
const BY_YES: readonly CallState[] = ["approved", "executing", "refused"];

/** `isYes`: whether the change holds a person's yes. INVARIANT (no yes, no start): a question is not passed over. */
export const mayFollow = (from: From, to: CallState, isYes = false): boolean =>
  NEXT[from].includes(to) && (from !== "awaiting_approval" || isYes || !BY_YES.includes(to));

export const isTerminal = (state: CallState): boolean => NEXT[state].length === 0;
