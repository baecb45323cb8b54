import { Buffer } from "node:buffer";
import { describe, expect, it } from "vitest";
import type { Digest } from "../../src/domain/digest.ts";
import { digestOfText } from "../../src/domain/digest.ts";
import { GENESIS_HASH, sealEntry } from "../../src/ledger/chain.ts";
import { RangeVerifier, settle } from "../../src/ledger/range-verifier.ts";
import { TreeBuilder } from "../../src/ledger/tree.ts";
import { draftOf, type Row, rowsOf } from "./sample-ledger.ts";

const rows = rowsOf(20);
const WHOLE = { from: 1, prev: GENESIS_HASH, sizes: [] };

const fed = (rows: readonly Row[], start: ConstructorParameters<typeof RangeVerifier>[0] = WHOLE) => {
  const verifier = new RangeVerifier(start);
  const wants = rows.map(({ seq, hash, text }) => verifier.add(seq, hash, Buffer.from(text)));
  return { ...verifier.result(), wants };
};

/** A row of any content that hashes to its hash. */
const rowOf = (seq: number, text: string): Row => ({ seq, hash: digestOfText(text), text });
const forged = (seq: number, prev: Digest | undefined, at = seq): Row => ({
  seq,
  ...sealEntry({ ...draftOf(at), actor: "mallory" }, at, prev ?? GENESIS_HASH),
});

describe("RangeVerifier", () => {
  it("finds nothing in a sound ledger", () => {
    const result = fed(rows);
    expect(result).toMatchObject({ from: 1, count: 20, finding: null, doubt: null, head: rows[19]?.hash });
    expect(result.wants).not.toContain(false);
  });

  it("hashes the bytes, and not the text that they would be read as", () => {
    const { seq, text, hash } = rowsOf(1, { draft: (n) => ({ ...draftOf(n), actor: "\ufffd" }) })[0] as Row;
    const fedWith = (bytes: Buffer) => {
      const verifier = new RangeVerifier(WHOLE);
      verifier.add(seq, hash, bytes);
      return verifier.result().finding;
    };
    const bytes = Buffer.from(text);
    expect(fedWith(bytes)).toBeNull();
    const other = Buffer.from(bytes);
    other.set([0xf0, 0x9f, 0x98], other.indexOf("\ufffd")); // the beginning of a character, which is read as one that is unknown
    expect(other.toString()).toBe(text);
    expect(fedWith(other)).toEqual({ kind: "altered", seq: 1, what: "hash" });
  });

  it("leaves a mark at each size that it is asked for", () => {
    const { marks } = fed(rows, { ...WHOLE, sizes: [7, 20, 21] });
    expect(marks.map(({ size, head }) => [size, head])).toEqual([
      [7, rows[6]?.hash],
      [20, rows[19]?.hash],
    ]);
    const tree = new TreeBuilder();
    for (const { hash } of rows.slice(0, 7)) tree.add(hash);
    expect(marks[0]?.subtrees).toEqual(tree.subtrees());
  });

  it("begins in the middle and tells what comes before it", () => {
    const result = fed(rows.slice(9), { from: 10, prev: null, sizes: [] });
    expect(result).toMatchObject({
      from: 10,
      count: 11,
      finding: null,
      first: { seq: 10, link: { prev: rows[8]?.hash } },
    });
  });

  it("of no rows is no finding", () => {
    expect(fed([])).toMatchObject({ count: 0, first: null, head: null, finding: null, subtrees: [] });
  });

  it("stops at the first finding", () => {
    const bad = rows.with(4, { ...rowOf(5, "x"), hash: GENESIS_HASH }).with(8, rowOf(9, "x"));
    const result = fed(bad);
    expect(result).toMatchObject({ count: 4, head: rows[3]?.hash, finding: { kind: "altered", seq: 5, what: "hash" } });
    expect(result.wants).toEqual(rows.map((_, i) => i < 4));
  });

  it("tells a text that is no entry from one that was altered", () => {
    expect(fed(rows.with(4, rowOf(5, "x"))).finding).toEqual({ kind: "altered", seq: 5, what: "form" });
  });

  it("names an entry that was replaced, hash and all, since those behind it follow another one", () => {
    expect(fed(rows.with(4, forged(5, rows[3]?.hash))).finding).toEqual({ kind: "replaced", seq: 5 });
  });

  it("names an entry that follows nothing and that nothing follows", () => {
    expect(fed(rows.with(4, forged(5, GENESIS_HASH))).finding).toEqual({ kind: "broken-link", seq: 5 });
    expect(fed(rows.with(0, forged(1, digestOfText("x")))).finding).toEqual({ kind: "broken-link", seq: 1 });
    expect(fed(rowsOf(9, { prev: digestOfText("x") })).finding).toEqual({ kind: "broken-link", seq: 1 });
  });

  it("leaves open what only the next range can tell", () => {
    const result = fed([...rows.slice(0, 4), forged(5, GENESIS_HASH)]);
    expect(result).toMatchObject({ count: 4, finding: null, doubt: { seq: 5, found: 5 } });
  });

  it.each([
    ["the copy of an earlier one", 5, 2, { kind: "gap", seq: 5, found: 2 }],
    ["a later one", 5, 9, { kind: "gap", seq: 5, found: 9 }],
    ["the one before it, once more", 5, 4, { kind: "gap", seq: 5, found: 4 }],
  ])("names an entry in whose row stands %s", (_, at, other, finding) => {
    const text = rows[other - 1]?.text ?? "";
    expect(fed(rows.with(at - 1, rowOf(at, text))).finding).toEqual(finding);
  });

  it("names the row's seq where that is what does not fit", () => {
    expect(fed(rows.toSpliced(4, 1)).finding).toEqual({ kind: "gap", seq: 5, found: 6 });
    expect(fed(rows.toSpliced(4, 0, ...rows.slice(4, 5))).finding).toEqual({ kind: "gap", seq: 5, found: 5 });
    expect(fed([rowOf(0, "x"), ...rows]).finding).toEqual({ kind: "gap", seq: 1, found: 0 });
  });
});

describe("settle", () => {
  const hash = digestOfText("doubtful");
  const elsewhere = digestOfText("elsewhere");
  it.each([
    ["the next follows it", { seq: 5, found: 5 }, { seq: 6, prev: hash }, { kind: "replaced", seq: 4 }],
    ["the next follows another", { seq: 5, found: 5 }, { seq: 6, prev: elsewhere }, { kind: "broken-link", seq: 5 }],
    ["nothing is next", { seq: 5, found: 5 }, null, { kind: "broken-link", seq: 5 }],
    ["it is the first", { seq: 1, found: 1 }, { seq: 2, prev: hash }, { kind: "broken-link", seq: 1 }],
    ["the next lags too", { seq: 5, found: 4 }, { seq: 5, prev: hash }, { kind: "gap", seq: 4, found: 4 }],
    ["the next counts on", { seq: 5, found: 4 }, { seq: 6, prev: hash }, { kind: "gap", seq: 5, found: 4 }],
    ["nothing is behind the double", { seq: 5, found: 4 }, null, { kind: "gap", seq: 4, found: 4 }],
  ])("when %s", (_, doubt, behind, finding) => {
    expect(settle({ ...doubt, hash }, behind)).toEqual(finding);
  });
});
