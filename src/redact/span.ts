import { Buffer } from "node:buffer";
import { markerOf } from "./marker.ts";

/** A part of some bytes that must not leave, and the rule that says so. */
export interface Span {
  readonly start: number;
  readonly end: number;
  readonly rule: string;
}

/**
 * In order, without overlaps. Overlapping spans become one: cutting one of them short would let the rest of a secret out.
 * The leftmost names it, of those the longest, of those the first in the list.
 */
export function united(spans: readonly Span[]): readonly Span[] {
  if (spans.length < 2) return spans;
  const sorted = spans.toSorted((a, b) => a.start - b.start || b.end - a.end);
  const result: Span[] = [];
  for (const span of sorted) {
    const last = result.at(-1);
    if (last === undefined || span.start >= last.end) result.push(span);
    else if (span.end > last.end) result[result.length - 1] = { ...last, end: span.end };
  }
  return result;
}

export interface Range {
  readonly from: number;
  readonly to: number;
}

/** The bytes of a range with a marker in the place of each span. A span that begins before the range has its marker already. */
export function withMarkers(bytes: Uint8Array, spans: readonly Span[], range: Range): Uint8Array {
  if (!spans.some(({ start, end }) => start < range.to && end > range.from))
    return bytes.subarray(range.from, range.to);
  const parts: Uint8Array[] = [];
  let at = range.from;
  for (const span of spans) {
    if (span.start >= range.to) break;
    if (span.start >= range.from)
      parts.push(bytes.subarray(at, span.start), Buffer.from(markerOf(span.rule), "latin1"));
    at = Math.max(at, span.end);
  }
  if (at < range.to) parts.push(bytes.subarray(at, range.to));
  return Buffer.concat(parts);
}
