import type { Digest } from "../domain/digest.ts";

/** The leaves from index `from` up to, and without, `to`. */
export interface LeafRange {
  readonly from: number;
  readonly to: number;
}

/**
 * The subtree's hash over a range of leaves. The store serves it by reading the entries' hashes of the range into a
 * new `TreeBuilder`: RFC 6962 defines the hash of a range by its leaves alone.
 */
export type HashOfRange = (range: LeafRange) => Digest;

/** Proof that leaf `index` is in the tree of the first `size` leaves. RFC 6962 section 2.1.1. */
export const inclusionProof = (index: number, size: number, hashOf: HashOfRange): readonly Digest[] =>
  inclusionRanges(index, size).map(hashOf);

/** Proof that the tree of `size2` leaves begins with the tree of `size1`. RFC 6962 section 2.1.2. */
export const consistencyProof = (size1: number, size2: number, hashOf: HashOfRange): readonly Digest[] =>
  consistencyRanges(size1, size2).map(hashOf);

/** The ranges whose hashes are the proof, in its order: for a store that reads asynchronously. */
export function inclusionRanges(index: number, size: number): readonly LeafRange[] {
  if (!(index >= 0 && index < size)) throw new RangeError(`no leaf ${index} in a tree of ${size}`);
  return path(index, { from: 0, to: size });
}

export function consistencyRanges(size1: number, size2: number): readonly LeafRange[] {
  if (!(size1 >= 1 && size1 <= size2)) throw new RangeError(`no proof from ${size1} leaves to ${size2}`);
  return subproof(size1, { from: 0, to: size2 }, "known");
}

function path(index: number, { from, to }: LeafRange): readonly LeafRange[] {
  if (to - from === 1) return [];
  const middle = from + splitOf(to - from);
  const left = { from, to: middle };
  const right = { from: middle, to };
  return index < middle ? [...path(index, left), right] : [...path(index, right), left];
}

/** `old` says whether the verifier knows the old tree's part of this range already: it does as long as it is the root. */
function subproof(size1: number, range: LeafRange, old: "known" | "unknown"): readonly LeafRange[] {
  if (size1 === range.to) return old === "known" ? [] : [range];
  const middle = range.from + splitOf(range.to - range.from);
  const left = { from: range.from, to: middle };
  const right = { from: middle, to: range.to };
  return size1 <= middle ? [...subproof(size1, left, old), right] : [...subproof(size1, right, "unknown"), left];
}

/** The largest power of two below `leaves`. */
function splitOf(leaves: number): number {
  let split = 1;
  while (split * 2 < leaves) split *= 2;
  return split;
}
