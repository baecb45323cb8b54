import { Buffer } from "node:buffer";
import { DatabaseSync } from "node:sqlite";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { digestOfText } from "../../../src/domain/digest.ts";
import { prepareTables } from "../../../src/store/sqlite/schema.ts";
import { rowsOfSegment } from "../../../src/store/sqlite/segment.ts";
import { everyStoredRow, readStoredPages } from "../../../src/store/sqlite/stored-page.ts";

const HASH = digestOfText("x");
const LAST = Number.MAX_SAFE_INTEGER;

type Segment = readonly [firstSeq: number, lines: Uint8Array | string | number | null];

function stored(segments: readonly Segment[]): DatabaseSync {
  const db = new DatabaseSync(":memory:");
  prepareTables(db);
  const put = db.prepare("INSERT INTO segments VALUES (?, CAST(? AS TEXT))");
  for (const [firstSeq, lines] of segments) put.run(firstSeq, lines);
  return db;
}

const rowsIn = (db: DatabaseSync, from: number | null = null, to = LAST) => {
  const rows: [number, string, string][] = [];
  for (const page of readStoredPages(db, from, to)) {
    everyStoredRow(page, (seq, hash, text) => rows.push([seq, hash, text.toString("latin1")]) > 0);
  }
  return rows;
};

/** As they are when each byte is read as a character. */
const expected = (segments: readonly Segment[]) =>
  segments.flatMap(([firstSeq, lines]) =>
    rowsOfSegment(firstSeq, Buffer.from(lines as string | Uint8Array as string).toString("latin1")),
  );

const piece = fc.constantFrom("\n", " ", HASH, `${HASH} `, "{}", "\0", "é", "😀", "\ufffd");
const lines = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(""));

describe("stored pages", () => {
  it("hold the rows of all segments, whatever they say", () => {
    void fc.assert(
      fc.property(fc.array(lines, { maxLength: 12 }), (all) => {
        const segments = all.map((each, i): Segment => [1 + 100 * i, each]);
        expect(rowsIn(stored(segments))).toEqual(expected(segments));
      }),
    );
  });

  it("end neither at so many segments nor at so many bytes", () => {
    const many = Array.from({ length: 1000 }, (_, i): Segment => [i + 1, `${HASH} {"n":${i}}`]);
    expect(rowsIn(stored(many))).toEqual(expected(many));
    const long = many.slice(0, 7).map(([seq], i): Segment => [seq, `${HASH} ${"x".repeat(i * 300_000)}`]);
    expect(rowsIn(stored(long))).toEqual(expected(long));
    for (const { bytes, segments } of readStoredPages(stored(long), null, LAST)) {
      expect(segments.length === 1 || bytes.length < 1_050_000).toBe(true);
    }
  });

  it("begin and end where they are told to", () => {
    const db = stored([-5, 1, 4, 9].map((seq): Segment => [seq, `${HASH} {}`]));
    const seqs = (from: number | null, to: number) => rowsIn(db, from, to).map(([seq]) => seq);
    expect([seqs(null, LAST), seqs(1, 8), seqs(2, 9), seqs(5, 8)]).toEqual([[-5, 1, 4, 9], [1, 4], [4, 9], []]);
  });

  it("are left when enough was seen", () => {
    const seen: number[] = [];
    const [page] = readStoredPages(
      stored([
        [1, "a\nb\nc"],
        [4, "d"],
      ]),
      null,
      LAST,
    );
    const went = page && everyStoredRow(page, (seq) => seen.push(seq) < 2);
    expect([went, seen]).toEqual([false, [1, 2]]);
  });

  it.each([
    ["a byte that begins nothing", [0xff]],
    ["half a character", [0xc3]],
    ["half a character where the next row begins with the rest", [0xc3], [0xa9]],
    ["half of a pair, as UTF-16 has them", [0xed, 0xa0, 0xbd]],
  ])("give no hash to what is not UTF-8: %s", (_, end, begin = [] as number[]) => {
    const sound = `${HASH} {}`;
    const broken = Buffer.concat([Buffer.from(`${sound}\n${sound}`), Buffer.from(end)]);
    const rows = rowsIn(
      stored([
        [1, broken],
        [3, Buffer.concat([Buffer.from(begin), Buffer.from(sound)])],
      ]),
    );
    expect(rows.map(([seq, hash]) => [seq, hash])).toEqual([
      [1, HASH],
      [2, ""],
      [3, begin.length === 0 ? HASH : ""],
    ]);
  });

  it.each(["NULL", "7", "1.5", `CAST('${HASH} {}' AS BLOB)`])("take %s for an empty text", (value) => {
    const db = new DatabaseSync(":memory:");
    // As a damaged file may hold it: our own table lets only texts in.
    db.exec(`CREATE TABLE segments (first_seq INTEGER PRIMARY KEY, lines);
      INSERT INTO segments VALUES (1, '${HASH} {}'), (2, ${value}), (3, '${HASH} {}')`);
    expect(rowsIn(db)).toEqual([
      [1, HASH, "{}"],
      [2, "", ""],
      [3, HASH, "{}"],
    ]);
  });

  it("are not read from a file in UTF-16, and it is said why", () => {
    const db = new DatabaseSync(":memory:");
    db.exec("PRAGMA encoding = 'UTF-16le'");
    prepareTables(db);
    db.exec(`INSERT INTO segments VALUES (1, '${HASH} {}'), (2, '${HASH} {}')`);
    expect(() => rowsIn(db)).toThrow(
      expect.objectContaining({ code: expect.stringContaining("not stored as toolgate") }),
    );
  });
});
