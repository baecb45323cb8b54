import { Buffer } from "node:buffer";
import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { Digest } from "../../src/domain/digest.ts";
import {
  LEAF_ROOM,
  roomForLeaves,
  SUBTREE_LEVELS,
  type SubtreeHash,
  subtreeHash,
} from "../../src/ledger/subtree-hash.ts";
import { TreeBuilder } from "../../src/ledger/tree.ts";

const levels = Array.from({ length: SUBTREE_LEVELS.max + 1 }, (_, level) => level);

describe("subtreeHash", () => {
  it.each(levels)("is the root of a tree of 2^%d leaves, whatever was hashed before", (level) => {
    const hashOf = subtreeHash() as SubtreeHash;
    for (let round = 0; round < 50; round++) {
      const tree = new TreeBuilder();
      const leaves = roomForLeaves(2 ** level);
      for (let i = 0; i < 2 ** level; i++) {
        const hash = randomBytes(32);
        tree.add(hash);
        leaves.set(hash, i * LEAF_ROOM + 1);
      }
      expect(hashOf(leaves, level)).toBe(tree.root());
    }
  });

  it("leaves alone what it is given", () => {
    const leaves = roomForLeaves(4);
    const before = Buffer.from(leaves);
    (subtreeHash() as SubtreeHash)(leaves, 2);
    expect(leaves.equals(before)).toBe(true);
  });

  it("is made once", () => {
    expect(subtreeHash()).toBe(subtreeHash());
    expect(subtreeHash()?.(roomForLeaves(4), 2) satisfies Digest | undefined).toHaveLength(64);
  });
});
