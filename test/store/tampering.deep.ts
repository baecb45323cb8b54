import { describe, expect, it } from "vitest";
import { bitsOf, expectFlipFound, expectNamed, expectRebuilt, expectTruncated, MOVES } from "./tampering.ts";
import { writeLedgerByGate } from "./written-ledger.ts";

const upTo = (last: number): number[] => Array.from({ length: last }, (_, i) => i + 1);

describe("in a ledger of 1,000 entries", () => {
  const signedAt = [100, 400, 1000];

  it.each(MOVES)("an entry that was $name is named, at every place (A56)", async (move) => {
    await using ledger = await writeLedgerByGate(1000, signedAt);
    await expectNamed(move, ledger, upTo(1000));
  });

  it("a cut of 1 to 100 entries is found (A57)", async () => {
    await using ledger = await writeLedgerByGate(1000, signedAt);
    for (const k of upTo(100)) await expectTruncated(ledger, k);
  });

  it("a chain rebuilt from every entry on is found (A58)", async () => {
    await using ledger = await writeLedgerByGate(1000, signedAt);
    for (const seq of upTo(1000)) await expectRebuilt(ledger, seq, signedAt);
  });
});

describe("a flipped bit is found, and its entry named (A55)", () => {
  /** Short ledgers: what a flip costs is reading the ledger it is in. */
  const SIZE = 20;

  it.each(upTo(10))("all bits of 200 entries, part %d of 10", async () => {
    await using ledger = await writeLedgerByGate(SIZE);
    let flips = 0;
    for (const row of ledger.rows) {
      for (let bit = 0; bit < bitsOf(row); bit++, flips++) await expectFlipFound(ledger, row.seq, bit);
    }
    expect(flips).toBeGreaterThan(SIZE * 256);
  });

  it("100,000 random ones", async () => {
    await using ledger = await writeLedgerByGate(100, [40]);
    for (let flips = 0; flips < 100_000; flips++) {
      const seq = 1 + Math.floor(Math.random() * ledger.rows.length);
      await expectFlipFound(ledger, seq, Math.floor(Math.random() * bitsOf(ledger.row(seq))));
    }
  });
});
