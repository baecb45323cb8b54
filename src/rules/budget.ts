import { type Hold, isLimited, type LeasedBudget, type Wanted } from "../domain/budget.ts";
import type { PlannedCall } from "../domain/call.ts";
import { EVERYTHING, type Lease, leaseChain } from "../domain/lease.ts";
import { LIMITS } from "../domain/limits.ts";
import type { Plan } from "../domain/plan.ts";
import type { UsageMax } from "../domain/tool.ts";
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
export function holdFor(lease: Lease, call: Pick<PlannedCall, "plan" | "tool">): Hold | null {
  const budgets = budgetsOf(lease);
  return budgets.length === 0 ? null : { budgets, wanted: wantedBy(call) };
}

/** What a call could use up, as far as its plan tells. */
function wantedBy({ plan, tool }: Pick<PlannedCall, "plan" | "tool">): Wanted {
  const bytes = inputBytes(plan);
  const usage = usageOf(plan.touches, tool);
  return {
    atLeast: { calls: 1, timeMs: 1, bytes: bytes + RESULT_BYTES_MIN, ...usage.atLeast },
    atMost: {
      calls: 1,
      timeMs: plan.timeoutMs * (tool.retry?.attemptsMax ?? 1),
      bytes: bytes + RESULT_BYTES_MAX,
      ...usage.atMost,
    },
  };
}

/**
 * What models will use nobody knows before: what a tool tells them beside the arguments it alone knows, and what that costs
 * their owners do. So a call that may ask one holds all that is left, and two of them can't overspend together. Only tools
 * in TypeScript have a way to tell of models; those that name none may ask one all the same.
 */
function usageOf(touches: readonly Touch[], { usageMax, definition }: PlannedCall["tool"]): AtLeastAtMost {
  if (usageMax !== undefined) return { atLeast: usageMax, atMost: usageMax };
  if (asksModel(touches)) return { atLeast: { tokens: tokensOf(touches), costMicros: 1 }, atMost: ALL_THAT_IS_LEFT };
  return { atLeast: NO_USAGE, atMost: definition.source === "function" ? ALL_THAT_IS_LEFT : NO_USAGE };
}

interface AtLeastAtMost {
  readonly atLeast: UsageMax;
  readonly atMost: UsageMax;
}

const NO_USAGE: UsageMax = { tokens: 0, costMicros: 0 };
const ALL_THAT_IS_LEFT: UsageMax = { tokens: Number.POSITIVE_INFINITY, costMicros: Number.POSITIVE_INFINITY };

export const asksModel = (touches: readonly Touch[]): boolean => touches.some(({ kind }) => kind === "model");

/** The most that models may answer with. A tool in TypeScript says it itself: budgets count whole numbers, and none below 0. */
export const tokensOf = (touches: readonly Touch[]): number =>
  touches.reduce((sum, touch) => Math.min(sum + (touch.kind === "model" ? whole(touch.tokensMax) : 0), MOST), 0);

const MOST = Number.MAX_SAFE_INTEGER;
const whole = (amount: number): number => Math.max(0, Math.ceil(amount));

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
