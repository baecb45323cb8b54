import { Buffer } from "node:buffer";
import { describe, expect, it } from "vitest";
import { UNLIMITED } from "../../src/domain/budget.ts";
import { EVERYTHING, type Lease } from "../../src/domain/lease.ts";
import { budgetsOf, holdFor, inputBytes, tokensOf } from "../../src/rules/budget.ts";
import { plannedCall, READ } from "../support/sample-calls.ts";

const MODEL = { kind: "model", provider: "p", model: "m", tokensMax: 100 } as const;
const lease = (id: string, calls: number | null, within?: Lease): Lease => ({
  ...EVERYTHING,
  id,
  budget: { ...UNLIMITED, calls },
  ...(within && { within }),
});
const { plan } = plannedCall({ input: { a: 1 } }, { input: { a: 1 }, timeoutMs: 50 });

describe("budgets", () => {
  it("of a lease and of those that it lies within, where they limit something", () => {
    expect(budgetsOf(EVERYTHING)).toEqual([]);
    expect(budgetsOf(lease("a", null))).toEqual([]);
    const ids = budgetsOf(lease("a", 1, lease("b", null, lease("c", 2)))).map(({ leaseId }) => leaseId);
    expect(ids).toEqual(["a", "c"]);
  });

  it("hold nothing where nothing is limited", () => {
    expect(holdFor(EVERYTHING, plan)).toBe(null);
    expect(holdFor(lease("a", null), plan)).toBe(null);
  });

  it("hold one call, its time, and room for what it says and is told", () => {
    expect(holdFor(lease("a", 3), plan)?.wanted).toEqual({
      atLeast: { calls: 1, tokens: 0, timeMs: 1, costMicros: 0, bytes: 7 + 1024 },
      atMost: { calls: 1, tokens: 0, timeMs: 50, costMicros: 0, bytes: 7 + 1024 * 1024 },
    });
  });

  it("hold all tokens that models may answer with, and whatever that may cost", () => {
    const wanted = holdFor(lease("a", 3), { ...plan, touches: [READ, MODEL, MODEL] })?.wanted;
    expect(wanted?.atLeast).toMatchObject({ tokens: 200, costMicros: 1 });
    expect(wanted?.atMost).toMatchObject({ tokens: 200, costMicros: Number.POSITIVE_INFINITY });
    expect(tokensOf([READ])).toBe(0);
  });
});

it.each(["", "plain", "é", "€", "😀", "\ud800", "a\u007f\u0080\u07ff\u0800\uffff"])(
  "counts the bytes of %j",
  (text) => {
    const input = { text };
    expect(inputBytes({ ...plan, input })).toBe(Buffer.byteLength(JSON.stringify(input)));
  },
);
