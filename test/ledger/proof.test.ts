import { describe, expect, it } from "vitest";
import { digestOfText } from "../../src/domain/digest.ts";
import { consistencyProof, consistencyRanges, inclusionProof, inclusionRanges } from "../../src/ledger/proof.ts";
import { verifyConsistency, verifyInclusion } from "../../src/ledger/proof-check.ts";
import { leafHash, TreeBuilder } from "../../src/ledger/tree.ts";
import { flipped } from "./sample-ledger.ts";

const SIZE_MAX = 64;
const entryHashes = Array.from({ length: SIZE_MAX }, (_, i) => digestOfText(`entry ${i}`));
const sizes = Array.from({ length: SIZE_MAX }, (_, i) => i + 1);

const hashOf = ({ from, to }: { from: number; to: number }) => {
  const builder = new TreeBuilder();
  for (const hash of entryHashes.slice(from, to)) builder.add(hash);
  return builder.root();
};

const inclusionOf = (index: number, size: number) => ({
  index,
  size,
  leafHash: leafHash(entryHashes[index] ?? digestOfText("")),
  proof: inclusionProof(index, size, hashOf),
  root: hashOf({ from: 0, to: size }),
});

const consistencyOf = (size1: number, size2: number) => ({
  size1,
  size2,
  root1: hashOf({ from: 0, to: size1 }),
  root2: hashOf({ from: 0, to: size2 }),
  proof: consistencyProof(size1, size2, hashOf),
});

/** Every proof of the list with one bit of one byte flipped. */
const damaged = <Hash extends string>(proof: readonly Hash[]): Hash[][] =>
  proof.flatMap((hash, i) => Array.from({ length: hash.length }, (_, at) => proof.with(i, flipped(hash, at, at % 3))));

describe("inclusionProof", () => {
  it(`convinces for every leaf of every tree up to ${SIZE_MAX}, and for no other leaf`, () => {
    for (const size of sizes) {
      for (let index = 0; index < size; index++) {
        const claim = inclusionOf(index, size);
        expect(verifyInclusion(claim)).toBeNull();
        if (size > 1) expect(verifyInclusion({ ...claim, index: (index + 1) % size })).not.toBeNull();
      }
    }
  });

  it("convinces of nothing once a byte is flipped", () => {
    for (const [index, size] of [
      [0, 1],
      [0, 2],
      [5, 7],
      [6, 7],
      [31, 33],
      [32, 33],
      [63, 64],
    ] as const) {
      const claim = inclusionOf(index, size);
      for (const proof of damaged(claim.proof)) expect(verifyInclusion({ ...claim, proof })).not.toBeNull();
      for (const [root = claim.root] of damaged([claim.root]))
        expect(verifyInclusion({ ...claim, root })).not.toBeNull();
      for (const [leafHash = claim.leafHash] of damaged([claim.leafHash])) {
        expect(verifyInclusion({ ...claim, leafHash })).not.toBeNull();
      }
    }
  });

  it("is refused for a leaf that is not there", () => {
    expect(() => inclusionRanges(8, 8)).toThrow("no leaf 8 in a tree of 8");
    expect(() => inclusionRanges(-1, 8)).toThrow(RangeError);
  });
});

describe("consistencyProof", () => {
  it(`convinces for every pair of sizes up to ${SIZE_MAX}, and for no other pair`, () => {
    for (const size2 of sizes) {
      for (let size1 = 1; size1 <= size2; size1++) {
        const claim = consistencyOf(size1, size2);
        expect(verifyConsistency(claim)).toBeNull();
        if (size1 < size2) expect(verifyConsistency({ ...claim, root1: claim.root2 })).not.toBeNull();
      }
    }
  });

  it("convinces of nothing once a byte is flipped", () => {
    for (const [size1, size2] of [
      [1, 1],
      [1, 2],
      [3, 7],
      [4, 7],
      [6, 8],
      [31, 33],
      [33, 64],
    ] as const) {
      const claim = consistencyOf(size1, size2);
      for (const proof of damaged(claim.proof)) expect(verifyConsistency({ ...claim, proof })).not.toBeNull();
      for (const [root1 = claim.root1] of damaged([claim.root1])) {
        expect(verifyConsistency({ ...claim, root1 })).not.toBeNull();
      }
      for (const [root2 = claim.root2] of damaged([claim.root2])) {
        expect(verifyConsistency({ ...claim, root2 })).not.toBeNull();
      }
    }
  });

  it("is refused where there is nothing to prove", () => {
    expect(() => consistencyRanges(0, 8)).toThrow(RangeError);
    expect(() => consistencyRanges(9, 8)).toThrow("no proof from 9 leaves to 8");
  });

  it("asks for ranges that a store can read one after the other", () => {
    expect(consistencyRanges(3, 7)).toEqual([
      { from: 2, to: 3 },
      { from: 3, to: 4 },
      { from: 0, to: 2 },
      { from: 4, to: 7 },
    ]);
  });
});
