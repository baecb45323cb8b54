// A part of the flips of `flipped-bits.deep.ts`, in a ledger of its own.

import { doTasks } from "../support/in-threads.ts";
import { bitsOf, type Flip, tryFlips } from "./flips.ts";
import { type WrittenLedger, writeLedgerByGate } from "./written-ledger.ts";

/** All bits of a short ledger, or so many anywhere in a longer one. */
export type FlipTask =
  | { readonly kind: "all"; readonly entries: number }
  | { readonly kind: "any"; readonly flips: number };

doTasks<FlipTask, unknown>((task) => (task.kind === "all" ? all(task.entries) : any(task.flips)));

/** What a flip costs is reading the ledger that it is in: so that is short, and stays open. No signature is needed. */
async function all(entries: number) {
  await using ledger = await writeLedgerByGate(entries, [], { atOnce: 7 });
  return await tryFlips(ledger, everyBit(ledger), "chain-alone");
}

async function any(flips: number) {
  await using ledger = await writeLedgerByGate(99, [33], { atOnce: 11 });
  return await tryFlips(ledger, someBits(ledger, flips), "anew");
}

function* everyBit(ledger: WrittenLedger): Generator<Flip> {
  for (const { seq } of ledger.rows) for (let bit = 0; bit < bitsOf(ledger, seq); bit++) yield { seq, bit };
}

function* someBits(ledger: WrittenLedger, flips: number): Generator<Flip> {
  for (let n = 0; n < flips; n++) {
    const seq = 1 + Math.floor(Math.random() * ledger.rows.length);
    yield { seq, bit: Math.floor(Math.random() * bitsOf(ledger, seq)) };
  }
}
