import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { digestOfText } from "../../src/domain/digest.ts";
import { TreeBuilder } from "../../src/ledger/tree.ts";
import { type Grown, TreeTail } from "../../src/ledger/tree-tail.ts";

const hashes = Array.from({ length: 3000 }, (_, i) => digestOfText(`entry ${i}`));

const rootOf = (size: number): string => {
  const tree = new TreeBuilder();
  for (const hash of hashes.slice(0, size)) tree.add(hash);
  return tree.root();
};

/** The root of everything up to the end of the run, where what lies before it comes from elsewhere. */
function rootWith({ begin, end, subtrees }: Grown): string {
  const tree = new TreeBuilder();
  for (const hash of hashes.slice(0, begin)) tree.add(hash);
  for (const { level, hash } of subtrees) tree.addSubtree(level, hash);
  expect(tree.size).toBe(end);
  return tree.root();
}

const addTo = (tail: TreeTail, begin: number, end: number) => tail.add(begin + 1, hashes.slice(begin, end));

describe("TreeTail", () => {
  it("has nothing where nothing was written", () => {
    const tail = new TreeTail();
    expect(tail.take()).toBeNull();
    addTo(tail, 0, 3);
    expect(tail.take()).not.toBeNull();
    expect(tail.take()).toBeNull();
  });

  it("holds one run without gaps, and begins anew behind one", () => {
    const tail = new TreeTail();
    addTo(tail, 0, 3);
    addTo(tail, 3, 7);
    addTo(tail, 9, 12); // another process wrote two
    const grown = tail.take();
    expect(grown).toMatchObject({ begin: 9, end: 12, head: hashes[11] });
    expect(rootWith(grown as Grown)).toBe(rootOf(12));
  });

  it("begins where it was last asked, or where a process took over", () => {
    const tail = new TreeTail();
    addTo(tail, 100, 101);
    expect(tail.take()).toMatchObject({ begin: 100, end: 101 });
    addTo(tail, 101, 140);
    expect(tail.take()).toMatchObject({ begin: 101, end: 140, head: hashes[139] });
  });

  it("has grown by itself where many wait", async () => {
    const tail = new TreeTail();
    for (let at = 0; at < 2990; at += 10) addTo(tail, at, at + 10);
    await new Promise((resolve) => setImmediate(resolve));
    addTo(tail, 2990, 3000);
    expect(rootWith(tail.take() as Grown)).toBe(rootOf(3000));
  });

  it("is what reading would make of it, whatever comes in between", () => {
    const step = fc.record({ length: fc.integer({ min: 1, max: 40 }), next: fc.constantFrom("go on", "take", "gap") });
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 300 }), fc.array(step, { maxLength: 20 }), (start, steps) => {
        const tail = new TreeTail();
        let at = start;
        for (const { length, next } of steps) {
          addTo(tail, at, at + length);
          at += length;
          if (next === "gap") at += 3;
          if (next !== "take") continue;
          const grown = tail.take() as Grown;
          expect(grown).toMatchObject({ end: at, head: hashes[at - 1] });
          expect(rootWith(grown)).toBe(rootOf(at));
        }
      }),
      { numRuns: 60 },
    );
  });
});
