import { describe, expect, it } from "vitest";
import { expectLineNamed, expectSplitSound, LINE_MOVES } from "./line-tampering.ts";
import { writeLedgerByGate } from "./written-ledger.ts";

describe("in a ledger of 300 entries, in segments of any length", () => {
  it.each(LINE_MOVES)("a line that was $name is named", async (move) => {
    await using ledger = await writeLedgerByGate(300, [60, 180], { atOnce: 10 });
    let places = 0;
    for (const linesPerSegment of [2, 3, 4, 16, 63, 64, 65, 300])
      places += await expectLineNamed(move, ledger, linesPerSegment);
    expect(places).toBeGreaterThan(300);
  });

  it("a segment cut in two is the same ledger", async () => {
    await using ledger = await writeLedgerByGate(300, [60, 180], { atOnce: 10 });
    for (const linesPerSegment of [2, 3, 16, 64, 300]) await expectSplitSound(ledger, linesPerSegment);
  });
});
