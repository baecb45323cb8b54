import { Buffer } from "node:buffer";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Digest, digestOfText } from "../../src/domain/digest.ts";
import { leafHash, nodeHash, TreeBuilder } from "../../src/ledger/tree.ts";

const SIZE_MAX = 200;
const entryHashes = Array.from({ length: SIZE_MAX }, (_, i) => digestOfText(`entry ${i}`));

/** RFC 6962 section 2.1, word by word. */
function naiveRoot(hashes: readonly Digest[]): Digest {
  const [first] = hashes;
  if (first === undefined) return digestOfText("");
  if (hashes.length === 1) return leafHash(first);
  let split = 1;
  while (split * 2 < hashes.length) split *= 2;
  return nodeHash(naiveRoot(hashes.slice(0, split)), naiveRoot(hashes.slice(split)));
}

const builderOf = (hashes: readonly Digest[], begin = 0): TreeBuilder => {
  const builder = new TreeBuilder(begin);
  for (const hash of hashes) builder.add(hash);
  return builder;
};

describe("TreeBuilder", () => {
  it("hashes leaves and nodes as RFC 6962 says", () => {
    // 33 zero bytes, and nothing: both by coreutils' sha256sum.
    expect(leafHash("00".repeat(32) as Digest)).toBe(
      "7f9c9e31ac8256ca2f258583df262dbc7d6f68f2a03043d5c99a4ae5a7396ce9",
    );
    expect(builderOf([]).root()).toBe("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  });

  it(`has the root of the naive tree, sizes 0 to ${SIZE_MAX}`, () => {
    const builder = new TreeBuilder();
    for (const [size, hash] of entryHashes.entries()) {
      expect(builder.root()).toBe(naiveRoot(entryHashes.slice(0, size)));
      expect(builder.size).toBe(size);
      builder.add(hash);
    }
    expect(builder.root()).toBe(naiveRoot(entryHashes));
  });

  it("takes bytes as well as text", () => {
    const builder = new TreeBuilder();
    for (const hash of entryHashes) builder.add(Buffer.from(hash, "hex"));
    expect(builder.root()).toBe(naiveRoot(entryHashes));
  });

  it("goes on from a frontier as if it had never stopped", () => {
    for (let cut = 0; cut <= SIZE_MAX; cut += 7) {
      const resumed = TreeBuilder.from(builderOf(entryHashes.slice(0, cut)).frontier());
      for (const hash of entryHashes.slice(cut)) resumed.add(hash);
      expect(resumed.root()).toBe(naiveRoot(entryHashes));
    }
  });

  it("gets the same tree from parts that were built apart, wherever they are cut", () => {
    const cuts = fc.uniqueArray(fc.integer({ min: 0, max: SIZE_MAX }), { maxLength: 5 });
    void fc.assert(
      fc.property(cuts, fc.integer({ min: 1, max: SIZE_MAX }), (cuts, size) => {
        const whole = new TreeBuilder();
        const borders = [0, ...cuts.filter((cut) => cut < size).sort((a, b) => a - b), size];
        for (const [i, begin] of borders.slice(0, -1).entries()) {
          const part = builderOf(entryHashes.slice(begin, borders[i + 1]), begin);
          for (const { level, hash } of part.subtrees()) whole.addSubtree(level, hash);
        }
        expect(whole.size).toBe(size);
        expect(whole.root()).toBe(naiveRoot(entryHashes.slice(0, size)));
      }),
    );
  });

  it("keeps builders apart that grow in turn", () => {
    const [a, b] = [new TreeBuilder(), new TreeBuilder()];
    for (const [i, hash] of entryHashes.entries()) {
      a.add(hash);
      b.add(entryHashes[SIZE_MAX - 1 - i] ?? hash);
    }
    expect(a.root()).toBe(naiveRoot(entryHashes));
    expect(b.root()).toBe(naiveRoot(entryHashes.toReversed()));
  });

  it("counts beyond 32 bits", () => {
    const [first, second] = entryHashes as [Digest, Digest];
    const builder = TreeBuilder.from({ size: 2 ** 40 + 2 ** 31, hashes: [first, second] });
    builder.addSubtree(31, second);
    builder.add(first);
    expect(builder.frontier()).toEqual({
      size: 2 ** 40 + 2 ** 32 + 1,
      hashes: [first, nodeHash(second, second), leafHash(first)],
    });
  });

  it("refuses what would build another tree", () => {
    const one = builderOf(entryHashes.slice(0, 1));
    const hash = entryHashes[1] as Digest;
    expect(() => one.addSubtree(1, hash)).toThrow("can't begin at 1");
    expect(() => one.addSubtree(0, hash.slice(2) as Digest)).toThrow("32 bytes");
    expect(() => one.add(hash.slice(2) as Digest)).toThrow("32 bytes");
    expect(() => one.add("x".repeat(64) as Digest)).toThrow("32 bytes");
    expect(() => one.add(Buffer.alloc(31))).toThrow("32 bytes");
    expect(() => TreeBuilder.from({ size: 3, hashes: [hash] })).toThrow("one hash per bit");
    expect(() => new TreeBuilder(5).root()).toThrow("first leaf");
    expect(() => new TreeBuilder(5).frontier()).toThrow("first leaf");
    expect(one.size).toBe(1);
  });
});
