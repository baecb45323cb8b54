import { Buffer, isUtf8 } from "node:buffer";
import type { DatabaseSync } from "node:sqlite";
import type { Digest } from "../../domain/digest.ts";
import { prepared } from "./prepared.ts";
import { BEFORE_ALL, HASH_LENGTH } from "./segment.ts";

/**
 * Segments as they are stored, byte for byte: decoding would put one sign in the place of all that is not UTF-8. Many
 * together, with a line end between, because a value that is handed over costs about as much as hashing an entry does.
 */
export interface StoredPage {
  readonly bytes: Buffer;
  readonly segments: readonly SegmentSize[];
}

type SegmentSize = readonly [firstSeq: number, bytes: number];

/** A segment has one line or twenty thousand, and a million entries must never stand in memory together. */
const PAGE = { segments: 256, bytes: 512 * 1024 };

// A value that is no text is nobody's entry. Its length is asked of the column itself: then it is not read for that.
const LINES = "iif(typeof(lines) = 'text', lines, '')";
const SIZE = "iif(typeof(lines) = 'text', octet_length(lines), 0)";
const RANGE = "FROM segments WHERE first_seq >= ? AND first_seq <= ? ORDER BY first_seq";

/**
 * All segments that begin between the two, each as it is, whatever its neighbours hold. `null`: from the very first row
 * on, also where that stands in front of entry 1.
 */
export function* readStoredPages(db: DatabaseSync, from: number | null, to: number): Generator<StoredPage> {
  const sizes = prepared(db, `SELECT first_seq, ${SIZE} ${RANGE} LIMIT ${PAGE.segments}`, "arrays");
  const lines = prepared(
    db,
    `SELECT CAST(group_concat(lines, char(10)) AS BLOB) FROM (SELECT ${LINES} AS lines ${RANGE})`,
    "arrays",
  );
  for (let next: number | bigint = from ?? BEFORE_ALL; ; ) {
    const segments = fitting(sizes.all(next, to) as unknown as readonly SegmentSize[]);
    const last = segments.at(-1);
    if (last === undefined) return;
    const [[found]] = lines.all(next, last[0]) as unknown as [[Uint8Array]];
    const size = segments.reduce((sum, [, bytes]) => sum + bytes + 1, -1);
    // Nobody of us changes a segment. INVARIANT (all of it): no byte of the page lies behind its last segment.
    if (found.length !== size) throw Object.assign(new RangeError(OTHERWISE), { code: OTHERWISE });
    yield { bytes: Buffer.from(found.buffer, found.byteOffset, found.byteLength), segments };
    next = last[0] + 1;
  }
}

/** Its code is what `verify` says: also of a file that somebody has made anew in UTF-16, where a line end has two bytes. */
const OTHERWISE = "its segments are not stored as toolgate stores them, or were changed while they were read";

/** As many as fit into a page, and one in any case. */
function fitting(segments: readonly SegmentSize[]): readonly SegmentSize[] {
  let bytes = 0;
  const tooMany = segments.findIndex(([, size], i) => {
    bytes += size;
    return i > 0 && bytes > PAGE.bytes;
  });
  return tooMany < 0 ? segments : segments.slice(0, tooMany);
}

type SeeRow = (seq: number, hash: Digest, text: Buffer) => boolean;

const LINE_END = 0x0a;
const SPACE = 0x20;
const NO_HASH = "" as Digest;

/**
 * Goes through the rows as `rowsOfSegment` would make them, until `see` has seen enough. What is not UTF-8 has no hash:
 * it is nobody's text.
 */
export function everyStoredRow({ bytes, segments }: StoredPage, see: SeeRow): boolean {
  const isText = isUtf8(bytes);
  let at = 0;
  for (const [firstSeq, size] of segments) {
    const end = at + size;
    for (let seq = firstSeq; at <= end; seq++) {
      const found = bytes.indexOf(LINE_END, at);
      const lineEnd = found < 0 || found > end ? end : found;
      const hashEnd = at + HASH_LENGTH;
      const isLine = hashEnd < lineEnd && bytes[hashEnd] === SPACE;
      const text = bytes.subarray(isLine ? hashEnd + 1 : at, lineEnd);
      const hash = isLine && (isText || isUtf8(text)) ? (bytes.toString("latin1", at, hashEnd) as Digest) : NO_HASH;
      if (!see(seq, hash, text)) return false;
      at = lineEnd + 1;
    }
  }
  return true;
}
