import { describe, expect, it } from "vitest";
import { bitsOf, expectFlipFound } from "./tampering.ts";
import { writeLedgerByGate } from "./written-ledger.ts";

describe("a flipped bit is found, and its entry named (A55)", () => {
  /** Short ledgers: what a flip costs is reading the ledger it is in. */
  const SIZE = 21;

  it.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])("all bits of 210 entries, part %d of 10", async () => {
    await using ledger = await writeLedgerByGate(SIZE, [], { atOnce: 7 });
    let flips = 0;
    for (const { seq } of ledger.rows) {
      for (let bit = 0; bit < bitsOf(ledger, seq); bit++, flips++) await expectFlipFound(ledger, seq, bit);
    }
    expect(flips).toBeGreaterThan(SIZE * 256);
  });

  it("100,000 random ones", async () => {
    await using ledger = await writeLedgerByGate(99, [33], { atOnce: 11 });
    for (let flips = 0; flips < 100_000; flips++) {
      const seq = 1 + Math.floor(Math.random() * ledger.rows.length);
      await expectFlipFound(ledger, seq, Math.floor(Math.random() * bitsOf(ledger, seq)));
    }
  });
});
