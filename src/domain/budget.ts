/**
 * What can run out. `calls` counts executed calls; `timeMs` is time on the wall; `tokens` and `costMicros` (millionths of
 * the currency that the operator counts in) are those of models; `bytes` are those of arguments and results.
 */
export const BUDGET_KINDS = ["tokens", "calls", "timeMs", "costMicros", "bytes"] as const;

export type BudgetKind = (typeof BUDGET_KINDS)[number];

/** How much a session may use up. `null` is unlimited, 0 is none. */
export type Budget = Readonly<Record<BudgetKind, number | null>>;

export const UNLIMITED: Budget = { tokens: null, calls: null, timeMs: null, costMicros: null, bytes: null };
