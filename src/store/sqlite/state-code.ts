import type { CallState } from "../../domain/state.ts";

/** How a state is stored: a number, because the index of open calls compares it at every change. */
export const STATE_CODE = {
  awaiting_approval: 1,
  approved: 2,
  executing: 3,
  completed: 11,
  failed: 12,
  timed_out: 13,
  cancelled: 14,
  refused: 15,
  rejected: 16,
  expired: 17,
  unknown: 18,
} as const satisfies Record<CallState, number>;

/** Open states are below it, ends above. */
export const ENDED_FROM = 10;

const STATES = new Map<unknown, CallState>(
  Object.entries(STATE_CODE).map(([state, code]) => [code, state as CallState]),
);

/** Throws for a number that no state has: the row was not written by us. */
export function stateFromCode(code: unknown): CallState {
  const state = STATES.get(code);
  if (state === undefined) throw new RangeError(`the journal holds a call in the state \`${String(code)}\``);
  return state;
}

/** For who finds out what others wrote. */
export const stateNamed = (code: unknown): string => STATES.get(code) ?? String(code);
