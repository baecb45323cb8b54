import type { DatabaseSync } from "node:sqlite";
import type { Digest } from "../../src/domain/digest.ts";
import { lineOf, rowsOfSegment } from "../../src/store/sqlite/segment.ts";

/** An entry as it is stored. */
export interface StoredRow {
  readonly seq: number;
  readonly hash: Digest;
  readonly text: string;
}

/** A row of the table `segments`. */
export interface StoredSegment {
  readonly firstSeq: number;
  readonly lines: string;
}

export function readSegments(db: DatabaseSync): readonly StoredSegment[] {
  const rows = db.prepare("SELECT first_seq, lines FROM main.segments ORDER BY first_seq").all();
  return rows.map((row) => ({ firstSeq: Number(row["first_seq"]), lines: String(row["lines"]) }));
}

export const readRows = (db: DatabaseSync): readonly StoredRow[] =>
  readSegments(db)
    .flatMap(({ firstSeq, lines }) => rowsOfSegment(firstSeq, lines))
    .map(([seq, hash, text]) => ({ seq, hash, text }));

/** What stood there before is gone. */
export function writeSegments(db: DatabaseSync, segments: readonly StoredSegment[]): void {
  db.exec("DELETE FROM main.segments");
  const add = db.prepare("INSERT INTO main.segments (first_seq, lines) VALUES (?, ?)");
  for (const { firstSeq, lines } of segments) add.run(firstSeq, lines);
}

/**
 * Lets SQL speak of `entries (seq, hash, text)`, a row an entry, as whoever harms one entry thinks of them. Afterwards
 * they are segments again, of so many lines; rows whose numbers do not follow each other are not put together.
 */
export function withEntries(db: DatabaseSync, change: () => void, linesPerSegment = 1): void {
  db.exec("CREATE TEMP TABLE entries (seq INTEGER PRIMARY KEY, hash TEXT NOT NULL, text TEXT NOT NULL)");
  putEntries(db, readRows(db));
  change();
  const rows = db.prepare("SELECT seq, hash, text FROM temp.entries ORDER BY seq").all() as unknown as StoredRow[];
  writeSegments(db, segmentsOf(rows, linesPerSegment));
  db.exec("DROP TABLE temp.entries");
}

export function putEntries(db: DatabaseSync, rows: readonly StoredRow[]): void {
  const put = db.prepare("INSERT OR REPLACE INTO temp.entries (seq, hash, text) VALUES (?, ?, ?)");
  for (const { seq, hash, text } of rows) put.run(seq, hash, text);
}

export function segmentsOf(rows: readonly StoredRow[], linesPerSegment: number): readonly StoredSegment[] {
  const segments: { firstSeq: number; lines: string[] }[] = [];
  for (const { seq, hash, text } of rows) {
    const last = segments.at(-1);
    const line = lineOf(hash, text);
    const isNext = last !== undefined && last.firstSeq + last.lines.length === seq;
    if (isNext && last.lines.length < linesPerSegment) last.lines.push(line);
    else segments.push({ firstSeq: seq, lines: [line] });
  }
  return segments.map(({ firstSeq, lines }) => ({ firstSeq, lines: lines.join("\n") }));
}
