import type { Price } from "../domain/price.ts";
import type { Usage } from "../domain/tool.ts";
import type { Touch } from "../domain/touch.ts";
import { compileNamePattern } from "./name-pattern.ts";

type ModelTouch = Extract<Touch, { kind: "model" }>;

/** What the models of a call cost for this usage; null = one of them has no price, or nobody told the tokens. */
export function pricedMicros(prices: readonly Price[], touches: readonly Touch[], usage: Usage): number | null {
  const models = touches.filter((touch): touch is ModelTouch => touch.kind === "model");
  const rates = models.flatMap((touch) => rateOf(prices, touch) ?? []);
  if (models.length === 0 || rates.length < models.length) return null;
  // Nobody tells which of them has used what, so all of it was the dearest.
  const { input, output } = dearest(rates);
  const { tokens, inputTokens, outputTokens } = usage;
  if (inputTokens !== undefined && outputTokens !== undefined)
    return micros(inputTokens * input + outputTokens * output);
  return tokens === undefined ? null : micros(tokens * Math.max(input, output));
}

/** Of all that speak of the model the dearest: a pattern that is too wide must not make it cheaper. */
function rateOf(prices: readonly Price[], { provider, model }: ModelTouch): Rate | null {
  const fitting = prices.filter(({ model: text }) => {
    const pattern = compileNamePattern(text);
    return "matches" in pattern && pattern.matches(`${provider}/${model}`);
  });
  return fitting.length === 0 ? null : dearest(fitting);
}

type Rate = Omit<Price, "model">;

const dearest = (rates: readonly Rate[]): Rate => ({
  input: Math.max(...rates.map(({ input }) => input)),
  output: Math.max(...rates.map(({ output }) => output)),
});

/** Budgets count whole millionths. What is no amount was not told. */
const micros = (amount: number): number | null =>
  Number.isFinite(amount) && amount >= 0 ? Math.min(Math.ceil(amount), Number.MAX_SAFE_INTEGER) : null;
