import { Buffer } from "node:buffer";
import { NOTHING_SPENT, type Spending } from "../domain/budget.ts";
import type { ApprovedCall } from "../domain/call.ts";
import type { Usage } from "../domain/tool.ts";
import { inputBytes, tokensOf } from "../rules/budget.ts";
import type { Ran } from "./execute.ts";
import type { Unrecorded } from "./finish.ts";

/** What a call that ran has used up, in the seed's one number: its tokens where it asked a model, else one call. */
export function consumedBy({ plan }: ApprovedCall, ran: Ran): number {
  const tokensMax = tokensOf(plan.touches);
  return tokensMax === 0 ? 1 : (amount(usageOf(ran).tokens) ?? tokensMax);
}

/** What it has used up of each budget. What nobody could tell counts as the most that it could have been. */
export function spentBy(
  { plan }: ApprovedCall,
  ran: Ran,
  outcome: Unrecorded,
  { held, timeMs }: { readonly held: Spending; readonly timeMs: number },
): Spending {
  const { tokens, costMicros } = usageOf(ran);
  return {
    ...NOTHING_SPENT,
    tokens: amount(tokens) ?? tokensOf(plan.touches),
    calls: 1,
    timeMs,
    costMicros: amount(costMicros) ?? (Number.isFinite(held.costMicros) ? held.costMicros : 0),
    bytes: inputBytes(plan) + resultBytes(outcome),
  };
}

const usageOf = (ran: Ran): Usage =>
  ran.kind === "returned" && "usage" in ran.result ? (ran.result.usage ?? NOT_TOLD) : NOT_TOLD;

const NOT_TOLD: Usage = {};

/** Runners are not all of this house: what is no amount was not told. */
const amount = (given: number | undefined): number | null =>
  Number.isSafeInteger(given) && (given as number) >= 0 ? (given as number) : null;

const resultBytes = (outcome: Unrecorded): number =>
  "content" in outcome
    ? Buffer.byteLength(JSON.stringify(outcome.content)) +
      ("structured" in outcome ? Buffer.byteLength(JSON.stringify(outcome.structured)) : 0)
    : 0;
