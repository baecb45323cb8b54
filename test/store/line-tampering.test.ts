import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { expectLineNamed, expectSplitSound, LINE_MOVES } from "./line-tampering.ts";
import { type WrittenLedger, writeLedgerByGate } from "./written-ledger.ts";

let ledger: WrittenLedger;
beforeAll(async () => {
  ledger = await writeLedgerByGate(60, [30], { atOnce: 5 });
});
afterAll(() => ledger[Symbol.asyncDispose]());

describe("a line of a segment that was", () => {
  it.each(LINE_MOVES)("$name is named", async (move) => {
    expect(await expectLineNamed(move, ledger, 7)).toBeGreaterThan(40);
    for (const linesPerSegment of [2, 60]) await expectLineNamed(move, ledger, linesPerSegment, 5);
  });
});

describe("a segment that was", () => {
  it("cut in two is the same ledger", async () => {
    await expectSplitSound(ledger, 7);
  });
});
