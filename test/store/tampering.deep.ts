import { describe, it } from "vitest";
import { expectNamed, expectRebuilt, expectTruncated, MOVES } from "./tampering.ts";
import { writeLedgerByGate } from "./written-ledger.ts";

const upTo = (last: number): number[] => Array.from({ length: last }, (_, i) => i + 1);

describe("in a ledger of 999 entries", () => {
  const signedAt = [99, 399, 999];

  it.each(MOVES)("an entry that was $name is named, at every place (A56)", async (move) => {
    await using ledger = await writeLedgerByGate(999, signedAt);
    await expectNamed(move, ledger, upTo(999));
  });

  it("a cut of 1 to 100 entries is found (A57)", async () => {
    await using ledger = await writeLedgerByGate(999, signedAt);
    for (const k of upTo(100)) await expectTruncated(ledger, k);
  });

  it("a chain rebuilt from every entry on is found (A58)", async () => {
    await using ledger = await writeLedgerByGate(999, signedAt);
    for (const seq of upTo(999)) await expectRebuilt(ledger, seq, signedAt);
  });
});
