import type { Finding } from "../../src/ledger/finding.ts";
import type { Reading, WrittenLedger } from "./written-ledger.ts";

// Without vitest: threads use it.

/** One bit of an entry's line: of its hash, the space behind it, its text, or the line's end. */
export interface Flip {
  readonly seq: number;
  readonly bit: number;
}

/** A flip that was not found, or under another name. */
export interface Missed extends Flip {
  readonly found: Finding | string | null;
}

export const bitsOf = (ledger: WrittenLedger, seq: number): number => 8 * ledger.placeOf(seq).length;

export async function foundWithFlip(ledger: WrittenLedger, { seq, bit }: Flip, read?: Reading) {
  const { firstSeq, segment, from } = ledger.placeOf(seq);
  const bytes = Buffer.from(segment);
  const at = from + (bit >> 3);
  bytes[at] = (bytes[at] as number) ^ (1 << (bit & 7));
  return await ledger.foundWith(firstSeq, bytes, read);
}

/** What has to be found. */
export const named = (seq: number): Finding => ({ kind: "altered", seq, what: "hash" });

/** Tries them one by one. */
export async function tryFlips(ledger: WrittenLedger, flips: Iterable<Flip>, read: Reading) {
  let tried = 0;
  const missed: Missed[] = [];
  for (const flip of flips) {
    const found = await foundWithFlip(ledger, flip, read);
    if (!isNamed(found, flip.seq)) missed.push({ ...flip, found });
    tried += 1;
  }
  return { tried, missed };
}

/** Compared by hand: this is done a million times. */
const isNamed = (found: Finding | string | null, seq: number): boolean =>
  found !== null && typeof found === "object" && found.kind === "altered" && found.seq === seq && found.what === "hash";
