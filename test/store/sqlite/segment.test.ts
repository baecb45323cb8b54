import { DatabaseSync } from "node:sqlite";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Digest, digestOfText } from "../../../src/domain/digest.ts";
import { prepareTables } from "../../../src/store/sqlite/schema.ts";
import {
  inSegments,
  lastRow,
  lineOf,
  readRows,
  readSegments,
  readSlices,
  rowAt,
  rowsOfSegment,
} from "../../../src/store/sqlite/segment.ts";
import { rowsOf } from "../../ledger/sample-ledger.ts";
import { segmentsOf, writeSegments } from "../entries-table.ts";

const HASH = digestOfText("x");

/** The entries 1 to `last` in segments of so many lines. */
function stored(last: number, linesPerSegment: number): DatabaseSync {
  const db = new DatabaseSync(":memory:");
  prepareTables(db);
  writeSegments(db, segmentsOf(rowsOf(last), linesPerSegment));
  return db;
}

describe("the lines of one commit", () => {
  const line = (length: number) => "x".repeat(length);

  it.each<[string, readonly number[], readonly (readonly [number, number])[]]>([
    ["none are no segment", [], []],
    ["one is one", [100], [[7, 1]]],
    ["many short ones are one", [100, 100, 100], [[7, 3]]],
    ["are one up to a length", [131_071, 1], [[7, 2]]],
    ["that end where a segment is full leave no empty one", [131_072], [[7, 1]]],
    [
      "go on in another one behind it",
      [131_072, 1],
      [
        [7, 1],
        [8, 1],
      ],
    ],
    [
      "are several where they are long",
      [70_000, 70_000, 200_000, 10, 10],
      [
        [7, 2],
        [9, 1],
        [10, 2],
      ],
    ],
  ])("%s", (_, lengths, expected) => {
    const lines = lengths.map(line);
    const segments = inSegments(7, lines);
    expect(segments.map(([seq, text]) => [seq, text.split("\n").length])).toEqual(expected);
    expect(segments.flatMap(([, text]) => text.split("\n"))).toEqual(lines);
  });
});

describe("rowsOfSegment", () => {
  it("gives back the lines that were put together, whatever the entries say", () => {
    const text = fc.string({ unit: "binary" }).map((said) => JSON.stringify({ said }));
    void fc.assert(
      fc.property(fc.array(text, { minLength: 1 }), fc.integer({ min: 1, max: 2 ** 50 }), (texts, firstSeq) => {
        const lines = texts.map((each) => lineOf(digestOfText(each), each)).join("\n");
        expect(rowsOfSegment(firstSeq, lines)).toEqual(
          texts.map((each, i) => [firstSeq + i, digestOfText(each), each]),
        );
      }),
    );
  });

  it.each([
    ["nothing", "", [[5, "", ""]]],
    [
      "a line end",
      "\n",
      [
        [5, "", ""],
        [6, "", ""],
      ],
    ],
    ["no hash", "{}", [[5, "", "{}"]]],
    ["a hash only", HASH, [[5, "", HASH]]],
    ["a hash and a space", `${HASH} `, [[5, HASH, ""]]],
    ["a short hash", `${HASH.slice(1)} {}`, [[5, "", `${HASH.slice(1)} {}`]]],
    ["a long hash", `0${HASH} {}`, [[5, "", `0${HASH} {}`]]],
    ["another space", `${HASH}\t{}`, [[5, "", `${HASH}\t{}`]]],
    [
      "a hash whose space is in the next line",
      `${HASH}\n {}`,
      [
        [5, "", HASH],
        [6, "", " {}"],
      ],
    ],
    [
      "a line end at the end",
      `${HASH} {}\n`,
      [
        [5, HASH, "{}"],
        [6, "", ""],
      ],
    ],
    [
      "a line end in front",
      `\n${HASH} {}`,
      [
        [5, "", ""],
        [6, HASH, "{}"],
      ],
    ],
    [
      "two line ends",
      `${HASH} {}\n\n${HASH} {}`,
      [
        [5, HASH, "{}"],
        [6, "", ""],
        [7, HASH, "{}"],
      ],
    ],
  ])("makes an entry with a wrong hash of what is none: %s", (_, lines, rows) => {
    expect(rowsOfSegment(5, lines)).toEqual(rows);
    // No hash is the hash of nothing, so what has none is never sound.
    for (const [, hash, text] of rowsOfSegment(5, lines)) {
      if (hash === ("" as Digest)) expect(digestOfText(text)).not.toBe(hash);
    }
  });
});

describe.each([1, 2, 3, 7, 64, 1000])("segments of %d lines", (linesPerSegment) => {
  const LAST = 150;
  const db = stored(LAST, linesPerSegment);
  const seqs = (rows: Iterable<readonly [number, ...unknown[]]>) => [...rows].map(([seq]) => seq);
  const upTo = (from: number, to: number) => Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => from + i);

  it("give the entries from one to another", () => {
    for (const [from, to] of [
      [1, LAST],
      [1, 1],
      [LAST, LAST],
      [7, 8],
      [63, 66],
      [70, 20],
      [-3, 4],
      [149, 999],
      [151, 999],
    ] as const) {
      const expected = upTo(Math.max(1, from), Math.min(LAST, to));
      expect(seqs(readRows(db, from, to))).toEqual(expected);
      expect(seqs([...readSlices(db, from, to)].flat())).toEqual(expected);
    }
  });

  it("give one entry, and the last", () => {
    const rows = rowsOf(LAST);
    for (const { seq, hash, text } of rows) expect(rowAt(db, seq)).toEqual([seq, hash, text]);
    expect([rowAt(db, 0), rowAt(db, LAST + 1), lastRow(db)?.[0]]).toEqual([null, null, LAST]);
  });

  it("are read whole, by where they begin", () => {
    const begins = upTo(1, LAST).filter((seq) => (seq - 1) % linesPerSegment === 0);
    expect([...readSegments(db, null, LAST)].map((rows) => rows[0]?.[0])).toEqual(begins);
    expect(seqs([...readSegments(db, null, 1)].flat())).toEqual(upTo(1, Math.min(LAST, linesPerSegment)));
  });
});

describe("no segments", () => {
  it("give nothing", () => {
    const db = stored(0, 1);
    expect([lastRow(db), rowAt(db, 1), [...readRows(db, 1, 9)], [...readSegments(db, null, 9)]]).toEqual([
      null,
      null,
      [],
      [],
    ]);
  });
});
