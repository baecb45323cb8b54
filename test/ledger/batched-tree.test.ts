import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Digest, digestOfText } from "../../src/domain/digest.ts";
import { BatchedTree } from "../../src/ledger/batched-tree.ts";
import { subtreeHash } from "../../src/ledger/subtree-hash.ts";
import { TreeBuilder } from "../../src/ledger/tree.ts";

const LEAVES = 1100;
const hashes = Array.from({ length: LEAVES }, (_, i) => digestOfText(`entry ${i}`));

describe.each([
  ["hashed together", subtreeHash],
  ["hashed one by one", () => null],
])("a tree whose leaves are %s", (_, hashOf) => {
  it("is the tree of one leaf after the other, wherever it begins and whenever it is asked", () => {
    const looks = fc.uniqueArray(fc.integer({ min: 0, max: LEAVES - 1 }), { maxLength: 6 });
    const begin = fc.oneof(fc.integer({ min: 0, max: 600 }), fc.constantFrom(0, 255, 256, 2 ** 40 - 3));
    void fc.assert(
      fc.property(begin, fc.integer({ min: 0, max: LEAVES }), looks, (begin, size, looks) => {
        const batched = new BatchedTree(new TreeBuilder(begin), hashOf);
        const single = new TreeBuilder(begin);
        for (const [i, hash] of hashes.slice(0, size).entries()) {
          batched.add(hash);
          single.add(hash);
          if (looks.includes(i)) expect(batched.subtrees()).toEqual(single.subtrees());
        }
        expect(batched.subtrees()).toEqual(single.subtrees());
      }),
    );
  });

  it("goes on from a frontier, and comes to the same root", () => {
    void fc.assert(
      fc.property(fc.integer({ min: 0, max: LEAVES }), fc.integer({ min: 0, max: LEAVES }), (before, size) => {
        const begun = new TreeBuilder();
        for (const hash of hashes.slice(0, before)) begun.add(hash);
        const batched = new BatchedTree(TreeBuilder.from(begun.frontier()), hashOf);
        for (const hash of hashes.slice(0, size)) {
          batched.add(hash);
          begun.add(hash);
        }
        expect(batched.size).toBe(begun.size);
        expect(batched.root()).toBe(begun.root());
        expect(batched.frontier()).toEqual(begun.frontier());
      }),
      { numRuns: 40 },
    );
  });

  it("keeps trees apart that grow in turn", () => {
    const [a, b] = [new BatchedTree(new TreeBuilder(), hashOf), new BatchedTree(new TreeBuilder(7), hashOf)];
    const [c, d] = [new TreeBuilder(), new TreeBuilder(7)];
    for (const [i, hash] of hashes.entries()) {
      const other = hashes[LEAVES - 1 - i] as Digest;
      a.add(hash);
      c.add(hash);
      b.add(other);
      d.add(other);
    }
    expect(a.subtrees()).toEqual(c.subtrees());
    expect(b.subtrees()).toEqual(d.subtrees());
  });

  it("refuses what is no hash", () => {
    const tree = new BatchedTree(new TreeBuilder(), hashOf);
    expect(() => tree.add(hashes[0]?.slice(2) as Digest)).toThrow("32 bytes");
    expect(() => tree.add("x".repeat(64) as Digest)).toThrow("32 bytes");
    expect(tree.subtrees()).toEqual([]);
  });
});
