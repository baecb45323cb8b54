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
  awaiting_approval: ["awaiting_approval", "approved", "rejected", "expired", "cancelled"],
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

export const mayFollow = (from: From, to: CallState): boolean => NEXT[from].includes(to);

export const isTerminal = (state: CallState): boolean => NEXT[state].length === 0;
