import { NOTHING_SPENT, type Spending } from "../domain/budget.ts";
import type { ApprovedCall } from "../domain/call.ts";
import type { Price } from "../domain/price.ts";
import type { Usage } from "../domain/tool.ts";
import { asksModel, inputBytes, tokensOf } from "../rules/budget.ts";
import { pricedMicros } from "../rules/prices.ts";
import type { Ran } from "./execute.ts";
import type { Unrecorded } from "./finished.ts";
import { resultBytes } from "./result-bytes.ts";

/** What a call that ran has used up, in the seed's one number: its tokens where it asked a model, else one call. */
export function consumedBy({ plan }: ApprovedCall, ran: Ran): number {
  const tokensMax = tokensOf(plan.touches);
  return tokensMax === 0 ? 1 : (usageOf(ran).tokens ?? tokensMax);
}

/** What it has used up of each budget. What nobody could tell counts as the most that it could have been. */
export function spentBy(
  { plan }: ApprovedCall,
  ran: Ran,
  outcome: Unrecorded,
  { held, timeMs, prices }: { readonly held: Spending; readonly timeMs: number; readonly prices: readonly Price[] },
): Spending {
  const usage = usageOf(ran);
  const cost = usage.costMicros ?? pricedMicros(prices, plan.touches, usage);
  const untold = asksModel(plan.touches) ? held : NOTHING_SPENT;
  return {
    tokens: usage.tokens ?? finite(untold.tokens, tokensOf(plan.touches)),
    calls: 1,
    timeMs,
    costMicros: cost ?? finite(untold.costMicros, 0),
    bytes: inputBytes(plan) + resultBytes(outcome),
  };
}

/** What is held of something that is not limited is infinite. */
const finite = (held: number, instead: number): number => (Number.isFinite(held) ? held : instead);

/** What was told, as far as it is amounts: runners are not all of this house. */
function usageOf(ran: Ran): Usage {
  const teller = ran.kind === "returned" ? ran.result : ran;
  const told = "usage" in teller ? (teller.usage ?? NOT_TOLD) : NOT_TOLD;
  if (told === NOT_TOLD) return told;
  const parts = { inputTokens: amount(told.inputTokens), outputTokens: amount(told.outputTokens) };
  const both =
    parts.inputTokens === null || parts.outputTokens === null ? null : parts.inputTokens + parts.outputTokens;
  const tokens = amount(told.tokens) ?? both;
  const costMicros = amount(told.costMicros);
  return {
    ...(tokens !== null && { tokens }),
    ...(parts.inputTokens !== null && { inputTokens: parts.inputTokens }),
    ...(parts.outputTokens !== null && { outputTokens: parts.outputTokens }),
    ...(costMicros !== null && { costMicros }),
  };
}

const NOT_TOLD: Usage = {};

const amount = (given: number | undefined): number | null =>
  Number.isSafeInteger(given) && (given as number) >= 0 ? (given as number) : null;
