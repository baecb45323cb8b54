import type { DatabaseSync } from "node:sqlite";
import type { Digest } from "../../domain/digest.ts";
import { prepared } from "./prepared.ts";

/** An entry as it is stored: its number, its recorded hash, and the canonical JSON that the hash is over. */
export type EntryRow = readonly [seq: number, hash: Digest, text: string];

export const HASH_LENGTH = 64;

/**
 * A line of a segment. The entries of one commit are one row of the store (or few), a line each: a row costs several
 * times what a line does. Canonical JSON escapes line ends, so the borders can't be talked away by what an entry quotes.
 */
export const lineOf = (hash: Digest, text: string): string => `${hash} ${text}`;

/** What `lineOf` has put together. */
export const rowOfLine = (seq: number, line: string): EntryRow => [
  seq,
  line.slice(0, HASH_LENGTH) as Digest,
  line.slice(HASH_LENGTH + 1),
];

/**
 * Beyond this a segment ends, and the commit's next entry begins another: who wants one entry reads its segment, and
 * who reads all of them is fastest where some fit into the processor's cache together.
 */
const LENGTH_MAX = 128 * 1024;

/** The rows that the lines of one commit are. */
export function inSegments(firstSeq: number, lines: readonly string[]): readonly StoredSegment[] {
  const segments: StoredSegment[] = [];
  let begin = 0;
  let length = 0;
  lines.forEach((line, i) => {
    length += line.length;
    if (length < LENGTH_MAX && i + 1 < lines.length) return;
    segments.push([firstSeq + begin, lines.slice(begin, i + 1).join("\n")]);
    begin = i + 1;
    length = 0;
  });
  return segments;
}

/** Whatever the lines hold: what is no entry comes out as one whose hash is wrong. */
export function rowsOfSegment(firstSeq: number, lines: string): EntryRow[] {
  const rows: EntryRow[] = [];
  for (let at = 0, seq = firstSeq; at <= lines.length; seq++) {
    const found = lines.indexOf("\n", at);
    const end = found < 0 ? lines.length : found;
    const isLine = lines[at + HASH_LENGTH] === " " && at + HASH_LENGTH < end;
    rows.push([
      seq,
      (isLine ? lines.slice(at, at + HASH_LENGTH) : "") as Digest,
      lines.slice(isLine ? at + HASH_LENGTH + 1 : at, end),
    ]);
    at = end + 1;
  }
  return rows;
}

/**
 * How many segments are read at a time: the more, the shorter they are. A segment has one line or a thousand, and a
 * million entries must never stand in memory together.
 */
const PAGE = { first: 8, most: 256, length: 256 * 1024 };

function nextPage(segments: number, lines: readonly StoredSegment[]): number {
  const length = lines.reduce((sum, [, text]) => sum + text.length, 0);
  return length > PAGE.length ? Math.max(1, Math.floor(segments / 2)) : Math.min(PAGE.most, segments * 2);
}

type StoredSegment = readonly [firstSeq: number, lines: string];

/** The smallest number that SQLite has for a row. */
export const BEFORE_ALL = -(2n ** 63n);

/**
 * All segments that begin between the two, each as it is, whatever its neighbours hold. `null`: from the very first row
 * on, also where that stands in front of entry 1.
 */
export function* readSegments(db: DatabaseSync, from: number | null, to: number): Generator<readonly EntryRow[]> {
  const slice = prepared(
    db,
    "SELECT first_seq, lines FROM segments WHERE first_seq >= ? AND first_seq <= ? ORDER BY first_seq LIMIT ?",
    "arrays",
  );
  let page = PAGE.first;
  for (let next: number | bigint = from ?? BEFORE_ALL; ; ) {
    const segments = slice.all(next, to, page) as unknown as readonly StoredSegment[];
    const isLast = segments.length < page;
    page = nextPage(page, segments);
    for (const [firstSeq, lines] of segments) yield rowsOfSegment(firstSeq, lines);
    const last = segments.at(-1);
    if (last === undefined || isLast) return;
    next = last[0] + 1;
  }
}

/** The entries from `from` to `to`, in slices. */
export function* readSlices(db: DatabaseSync, from: number, to: number): Generator<readonly EntryRow[]> {
  for (const rows of readSegments(db, segmentOf(db, from) ?? from, to)) {
    const isInside = (rows[0]?.[0] ?? from) >= from && (rows.at(-1)?.[0] ?? to) <= to;
    yield isInside ? rows : rows.filter(([seq]) => seq >= from && seq <= to);
  }
}

export function* readRows(db: DatabaseSync, from: number, to: number): Generator<EntryRow> {
  for (const slice of readSlices(db, from, to)) yield* slice;
}

/** The last entry, or null where there is none. */
export function lastRow(db: DatabaseSync): EntryRow | null {
  const row = prepared(db, "SELECT first_seq, lines FROM segments ORDER BY first_seq DESC LIMIT 1").get();
  return row === undefined ? null : (rowsOfSegment(Number(row["first_seq"]), String(row["lines"])).at(-1) ?? null);
}

export function rowAt(db: DatabaseSync, seq: number): EntryRow | null {
  const [row] = readRows(db, seq, seq);
  return row ?? null;
}

/** Where the segment begins that holds entry `seq`. */
function segmentOf(db: DatabaseSync, seq: number): number | null {
  const found = prepared(
    db,
    "SELECT first_seq FROM segments WHERE first_seq <= ? ORDER BY first_seq DESC LIMIT 1",
    "arrays",
  );
  const [row] = found.all(seq) as unknown as readonly (readonly [number])[];
  return row?.[0] ?? null;
}
