import { Buffer } from "node:buffer";
import type { Finder, Neighbours } from "./found.ts";
import { markerOf } from "./marker.ts";
import { type Span, united } from "./span.ts";

/** How far on each side of a cut is looked: longer than what is a secret by its shape, or a key file in any form. */
export const REACH_BYTES = 64 * 1024;

/** How far behind its start a part may hold what is a secret because of what stands before the part (`password=`). */
const TOLD_BEFORE_BYTES = 1024;

/**
 * A part that was cut out of something longer, with a marker for each secret that a cut goes through, and for those which only
 * what stands before the part shows to be one: by itself the part would no longer hold them. What else is in it stays.
 */
export function redactedCut(part: Uint8Array, { before, after }: Neighbours, finders: readonly Finder[]): Uint8Array {
  if (part.length === 0) return part;
  if (part.length <= 2 * REACH_BYTES) return marked(part, { before, after }, finders, "both");
  const [head, tail] = [part.subarray(0, REACH_BYTES), part.subarray(-REACH_BYTES)];
  const middle = part.subarray(REACH_BYTES, -REACH_BYTES);
  const begun = marked(head, { before, after: middle.subarray(0, REACH_BYTES) }, finders, "start");
  const ended = marked(tail, { before: middle.subarray(-REACH_BYTES), after }, finders, "end");
  return begun === head && ended === tail ? part : Buffer.concat([begun, middle, ended]);
}

function marked(
  part: Uint8Array,
  { before, after }: Neighbours,
  finders: readonly Finder[],
  cuts: "start" | "end" | "both",
): Uint8Array {
  const all = Buffer.concat([before, part, after]);
  const [from, to] = [before.length, before.length + part.length];
  const isCut = ({ start, end }: Span): boolean =>
    (cuts !== "end" && from > 0 && start < from + TOLD_BEFORE_BYTES) || (cuts !== "start" && end > to);
  const found = united(finders.flatMap((finder) => (finder.isIdle ? [] : finder.find(all, "last").spans)));
  const spans = found.filter((span) => span.start < to && span.end > from && isCut(span));
  if (spans.length === 0) return part;
  const parts: Uint8Array[] = [];
  let at = from;
  for (const { start, end, rule } of spans) {
    parts.push(all.subarray(at, Math.max(at, start)), Buffer.from(markerOf(rule), "latin1"));
    at = Math.min(end, to);
  }
  return Buffer.concat([...parts, all.subarray(at, to)]);
}
