import { describe, expect, it } from "vitest";
import {
  type Budget,
  budgetExceeded,
  isLimited,
  NOTHING_SPENT,
  type Spending,
  shareOf,
  UNLIMITED,
  usedUp,
} from "../../src/domain/budget.ts";

const budget = (more: Partial<Budget>): Budget => ({ ...UNLIMITED, ...more });
const spent = (more: Partial<Spending>): Spending => ({ ...NOTHING_SPENT, ...more });

it.each<[Partial<Budget>, boolean]>([
  [{}, false],
  [{ calls: 0 }, true],
  [{ bytes: 5 }, true],
])("%j limits something: %s", (given, limited) => expect(isLimited(budget(given))).toBe(limited));

describe("a budget is used up", () => {
  it.each<[Partial<Budget>, Partial<Spending>, string | null]>([
    [{}, { calls: Number.MAX_SAFE_INTEGER }, null],
    [{ calls: 0 }, {}, "calls"],
    [{ calls: 2 }, { calls: 1 }, null],
    [{ calls: 2 }, { calls: 2 }, "calls"],
    [{ calls: 2 }, { calls: 3 }, "calls"],
    [{ calls: 2, tokens: 5 }, { calls: 2, tokens: 5 }, "tokens"],
    [{ timeMs: 2 }, { timeMs: 1.999 }, null],
  ])("%j with %j: %s", (given, taken, kind) => expect(usedUp(budget(given), spent(taken))).toBe(kind));
});

describe("a call gets", () => {
  const wanted = { atLeast: spent({ calls: 1, timeMs: 1 }), atMost: spent({ calls: 1, timeMs: 100 }) };
  it.each<[Partial<Budget>, Partial<Spending>, Partial<Spending> | string]>([
    [{}, {}, {}],
    [{ calls: 5 }, { calls: 4 }, { calls: 1 }],
    [{ calls: 5 }, { calls: 5 }, "calls"],
    [{ timeMs: 500 }, { timeMs: 100 }, { timeMs: 100 }],
    [{ timeMs: 150 }, { timeMs: 100 }, { timeMs: 50 }],
    [{ timeMs: 100.5 }, { timeMs: 100 }, "timeMs"],
    [{ tokens: 0 }, {}, "tokens"],
    [{ tokens: 1 }, {}, { tokens: 0 }],
  ])("of %j less %j: %j", (given, taken, share) =>
    expect(shareOf(budget(given), { taken: spent(taken), used: () => spent(taken) }, wanted)).toEqual(
      typeof share === "string" ? share : spent(share),
    ),
  );

  const someTokens = { ...wanted, atMost: { ...wanted.atMost, tokens: Number.POSITIVE_INFINITY } };
  it.each<[string, typeof wanted, Partial<Spending>, Partial<Spending> | string]>([
    ["others hold, and it wants none", wanted, { tokens: 8 }, {}],
    ["others have used up, and it wants none", wanted, { tokens: 9 }, "tokens"],
    ["others hold, and it may want some", someTokens, { tokens: 0 }, "tokens"],
  ])("of what %s", (_, want, used, share) =>
    expect(shareOf(budget({ tokens: 9 }), { taken: spent({ tokens: 9 }), used: () => spent(used) }, want)).toEqual(
      typeof share === "string" ? share : spent(share),
    ),
  );
});

it("the refusal names which", () => {
  expect(budgetExceeded("timeMs", 300).message).toBe(
    "the session's budget `timeMs` of 300 ms of running time is used up, or held by calls under way",
  );
});
