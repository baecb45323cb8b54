import type { Refusal } from "./outcome.ts";

/**
 * What can run out. `calls` counts executed calls; `timeMs` is how long they ran, on the wall; `tokens` and `costMicros`
 * (millionths of the currency that the operator counts in) are those of models; `bytes` are those of arguments and results.
 */
export const BUDGET_KINDS = ["tokens", "calls", "timeMs", "costMicros", "bytes"] as const;

export type BudgetKind = (typeof BUDGET_KINDS)[number];

/** An amount of each. */
export type Spending = Readonly<Record<BudgetKind, number>>;

/** How much a lease lets its session use up. `null` is unlimited, 0 is none. */
export type Budget = Readonly<Record<BudgetKind, number | null>>;

export const UNLIMITED: Budget = { tokens: null, calls: null, timeMs: null, costMicros: null, bytes: null };

export const NOTHING_SPENT: Spending = { tokens: 0, calls: 0, timeMs: 0, costMicros: 0, bytes: 0 };

/** What a call may use up: it does not start without the first, and is held to what is left of the second. */
export interface Wanted {
  readonly atLeast: Spending;
  readonly atMost: Spending;
}

/** The budget of one lease, which a call has to keep to. */
export interface LeasedBudget {
  readonly leaseId: string;
  readonly budget: Budget;
}

/** Before a call starts: what is to be held for it, out of each of these. */
export interface Hold {
  readonly budgets: readonly LeasedBudget[];
  readonly wanted: Wanted;
}

export const isLimited = (budget: Budget): boolean => BUDGET_KINDS.some((kind) => budget[kind] !== null);

/** Which of them is used up; null = none. */
export const usedUp = (budget: Budget, taken: Spending): BudgetKind | null =>
  BUDGET_KINDS.find((kind) => taken[kind] >= (budget[kind] ?? Number.POSITIVE_INFINITY)) ?? null;

/** What a lease's calls have used up and hold; `used`, which takes longer to find out: what they have used up. */
export interface Taken {
  readonly taken: Spending;
  readonly used: () => Spending;
}

/**
 * What a call gets of it, or what there is too little of. Of what is unlimited nothing needs to be held. What others only
 * hold is not used up, and in the way of those alone who want some of it.
 */
export function shareOf(budget: Budget, { taken, used }: Taken, { atLeast, atMost }: Wanted): Spending | BudgetKind {
  const share: Record<BudgetKind, number> = { ...NOTHING_SPENT };
  for (const kind of BUDGET_KINDS) {
    const limit = budget[kind];
    if (limit === null) continue;
    const left = limit - taken[kind];
    if (left <= 0 && atMost[kind] === 0 && used()[kind] < limit) continue;
    if (left <= 0 || left < atLeast[kind]) return kind;
    share[kind] = Math.min(left, atMost[kind]);
  }
  return share;
}

const UNITS: Readonly<Record<BudgetKind, string>> = {
  tokens: "tokens",
  calls: "calls",
  timeMs: "ms of running time",
  costMicros: "millionths of cost",
  bytes: "bytes",
};

export const budgetExceeded = (kind: BudgetKind, limit: number): Refusal => ({
  code: "BUDGET_EXCEEDED",
  stage: "judge",
  message: `the session's budget \`${kind}\` of ${limit} ${UNITS[kind]} is used up, or held by calls under way`,
  hint: "make it again when those have ended, or ask whoever gave the lease for a new one",
});
