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
const call = plannedCall({ input: { a: 1 } }, { input: { a: 1 }, timeoutMs: 50 });
const { plan, tool } = call;
const ofThisHouse = { ...tool, definition: { ...tool.definition, source: "builtin" } } as const;
const ALL = Number.POSITIVE_INFINITY;

describe("budgets", () => {
  it("of a lease and of those that it lies within, where they limit something", () => {
    expect(budgetsOf(EVERYTHING)).toEqual([]);
    expect(budgetsOf(lease("a", null))).toEqual([]);
    const ids = budgetsOf(lease("a", 1, lease("b", null, lease("c", 2)))).map(({ leaseId }) => leaseId);
    expect(ids).toEqual(["a", "c"]);
  });

  it("hold nothing where nothing is limited", () => {
    expect(holdFor(EVERYTHING, call)).toBe(null);
    expect(holdFor(lease("a", null), call)).toBe(null);
  });

  it("hold one call, its time, and room for what it says and is told", () => {
    expect(holdFor(lease("a", 3), { plan, tool: ofThisHouse })?.wanted).toEqual({
      atLeast: { calls: 1, tokens: 0, timeMs: 1, costMicros: 0, bytes: 7 + 1024 },
      atMost: { calls: 1, tokens: 0, timeMs: 50, costMicros: 0, bytes: 7 + 1024 * 1024 },
    });
  });

  it("hold the time of all attempts", () => {
    const retry = { attemptsMax: 3, delayMs: () => 1 };
    expect(holdFor(lease("a", 3), { plan, tool: { ...tool, retry } })?.wanted.atMost.timeMs).toBe(150);
  });

  it("hold what models may answer with at least, and all that is left, as nobody knows what they are told", () => {
    const wanted = holdFor(lease("a", 3), { tool, plan: { ...plan, touches: [READ, MODEL, MODEL] } })?.wanted;
    expect(wanted?.atLeast).toMatchObject({ tokens: 200, costMicros: 1 });
    expect(wanted?.atMost).toMatchObject({ tokens: ALL, costMicros: ALL });
    expect(tokensOf([READ])).toBe(0);
  });

  it.each([
    [0.5, 1],
    [-1, 0],
    [1e300, Number.MAX_SAFE_INTEGER],
    [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
  ])("count whole tokens, also where a tool says %d", (tokensMax, counted) => {
    expect(tokensOf([READ, { ...MODEL, tokensMax }, { ...MODEL, tokensMax: 0 }])).toBe(counted);
  });

  it("hold all that is left for a tool that may tell of models and names none, and need none of it", () => {
    const wanted = holdFor(lease("a", 3), call)?.wanted;
    expect([wanted?.atLeast.tokens, wanted?.atLeast.costMicros]).toEqual([0, 0]);
    expect([wanted?.atMost.tokens, wanted?.atMost.costMicros]).toEqual([ALL, ALL]);
  });

  it.each([
    { tokens: 0, costMicros: 0 },
    { tokens: 5, costMicros: 7 },
  ])("hold %j where the tool says so", (usageMax) => {
    for (const touches of [[READ], [MODEL]] as const) {
      const wanted = holdFor(lease("a", 3), { tool: { ...tool, usageMax }, plan: { ...plan, touches } })?.wanted;
      expect(wanted).toMatchObject({ atLeast: usageMax, atMost: usageMax });
    }
  });
});

it.each(["", "plain", "é", "€", "😀", "\ud800", "a\u007f\u0080\u07ff\u0800\uffff"])(
  "counts the bytes of %j",
  (text) => {
    const input = { text };
    expect(inputBytes({ ...plan, input })).toBe(Buffer.byteLength(JSON.stringify(input)));
  },
);
