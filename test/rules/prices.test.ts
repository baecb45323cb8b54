import { describe, expect, it } from "vitest";
import type { Price } from "../../src/domain/price.ts";
import type { Usage } from "../../src/domain/tool.ts";
import type { Touch } from "../../src/domain/touch.ts";
import { pricedMicros } from "../../src/rules/prices.ts";

const model = (name: string): Touch => ({ kind: "model", provider: "p", model: name, tokensMax: 100 });
const READ: Touch = { kind: "read", path: "/w/a" };
const PRICES: readonly Price[] = [
  { model: "p/small", input: 0.25, output: 1 },
  { model: "p/*", input: 0.5, output: 0.75 },
  { model: "no pattern", input: 9, output: 9 },
];

describe("what models cost", () => {
  it.each<[string, readonly Price[], readonly Touch[], Usage, number | null]>([
    ["tokens by the dearer price", [{ model: "p/m", input: 3, output: 15 }], [model("m")], { tokens: 10 }, 150],
    [
      "tokens in and out",
      [{ model: "p/m", input: 3, output: 15 }],
      [model("m"), READ],
      { tokens: 10, inputTokens: 9, outputTokens: 1 },
      42,
    ],
    ["only one of them told", PRICES, [model("m")], { inputTokens: 4 }, null],
    ["whole millionths, upwards", PRICES, [model("m")], { tokens: 1 }, 1],
    ["the dearest of all that fit, in and out", PRICES, [model("small")], { inputTokens: 8, outputTokens: 8 }, 12],
    ["the dearest of all models", PRICES, [model("m"), model("small")], { inputTokens: 0, outputTokens: 8 }, 8],
    ["a model without a price", PRICES.slice(0, 1), [model("small"), model("m")], { tokens: 1 }, null],
    ["no model", PRICES, [READ], { tokens: 1 }, null],
    ["no tokens told", PRICES, [model("m")], {}, null],
    ["nothing used", PRICES, [model("m")], { tokens: 0 }, 0],
    ["what is no amount", PRICES, [model("m")], { tokens: Number.NaN }, null],
    ["less than nothing", PRICES, [model("m")], { tokens: -1 }, null],
    ["more than can be counted", PRICES, [model("m")], { tokens: 2 ** 60 }, Number.MAX_SAFE_INTEGER],
  ])("%s", (_, prices, touches, usage, cost) => expect(pricedMicros(prices, touches, usage)).toBe(cost));
});
