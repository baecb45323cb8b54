import { type Hold, isLimited, type LeasedBudget, type Wanted } from "../domain/budget.ts";
import { EVERYTHING, type Lease, leaseChain } from "../domain/lease.ts";
import { LIMITS } from "../domain/limits.ts";
import type { Plan } from "../domain/plan.ts";
import type { Touch } from "../domain/touch.ts";

/** A result is cut to what is left, but not to less than tells something. */
const RESULT_BYTES_MIN = LIMITS.resultBytes.minimum;
const RESULT_BYTES_MAX = LIMITS.resultBytes.default;

/** The budgets that bind a lease's calls; none for nearly all. */
export function budgetsOf(lease: Lease): readonly LeasedBudget[] {
  if (lease === EVERYTHING) return NONE;
  return [...leaseChain(lease)]
    .filter(({ budget }) => isLimited(budget))
    .map(({ id, budget }) => ({ leaseId: id, budget }));
}

const NONE: readonly LeasedBudget[] = [];

/** What has to be held before the call starts; null = nothing is counted. */
export function holdFor(lease: Lease, plan: Plan): Hold | null {
  const budgets = budgetsOf(lease);
  return budgets.length === 0 ? null : { budgets, wanted: wantedBy(plan) };
}

/**
 * What a call could use up, as far as its plan tells. What a model will cost nobody knows before: such a call holds all that
 * is left, so that two of them can't overspend together.
 */
function wantedBy(plan: Plan): Wanted {
  const tokens = tokensOf(plan.touches);
  const asksModel = plan.touches.some(isModel);
  const bytes = inputBytes(plan);
  const common = { tokens, calls: 1 };
  return {
    atLeast: { ...common, timeMs: 1, costMicros: asksModel ? 1 : 0, bytes: bytes + RESULT_BYTES_MIN },
    atMost: {
      ...common,
      timeMs: plan.timeoutMs,
      costMicros: asksModel ? Number.POSITIVE_INFINITY : 0,
      bytes: bytes + RESULT_BYTES_MAX,
    },
  };
}

const isModel = ({ kind }: Touch): boolean => kind === "model";

/** The most that models may answer with. */
export const tokensOf = (touches: readonly Touch[]): number =>
  touches.reduce((sum, touch) => sum + (touch.kind === "model" ? touch.tokensMax : 0), 0);

export const inputBytes = ({ input }: Plan): number => utf8Bytes(JSON.stringify(input));

/** Without a copy of the text, which may be long. */
function utf8Bytes(text: string): number {
  let bytes = text.length;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    // A pair of surrogates, two units, is four bytes.
    if (code > 0x7f) bytes += code > 0x7ff && (code < 0xd800 || code > 0xdfff) ? 2 : 1;
  }
  return bytes;
}
