import { Buffer } from "node:buffer";
import { type Span, united, withMarkers } from "./span.ts";
import type { Tally } from "./tally.ts";

/** Whether more bytes may follow the ones that are looked at. */
export type Moment = "more-may-follow" | "last";

export interface Found {
  readonly spans: readonly Span[];
  /** Before this place everything is decided; from here on more bytes may turn it into a secret. */
  readonly settled: number;
}

export interface Finder {
  /** True where nothing can be found at all. */
  readonly isIdle: boolean;
  find(bytes: Uint8Array, moment: Moment): Found;
  /** Whether it is worth searching this text at all. A no is certain, and costs next to nothing. */
  mayFind(text: string): boolean;
  /** Whether a stream may find something else in this text than who searches it at once. */
  isCutOtherwise(text: string): boolean;
  /** What is left of a value where a text was cut short with a `…`. */
  findCut(bytes: Uint8Array): readonly Span[];
}

/** Each marker is a new neighbour for what stands next to it. More rounds than this need a text made for it. */
const ROUNDS_MAX = 4;

/** Redacts until nothing more is found, so that doing it all again changes nothing. */
export const redactedUntilStable = (bytes: Uint8Array, finder: Finder, tally: Tally): Uint8Array =>
  partRedactedUntilStable(bytes, ALONE, finder, tally).bytes;

/** What stands around a part of something longer. */
export interface Neighbours {
  readonly before: Uint8Array;
  readonly after: Uint8Array;
}

const NOTHING = new Uint8Array(0);
const ALONE: Neighbours = { before: NOTHING, after: NOTHING };

/**
 * The same for a part of something longer, which is no other text for being cut there. `beyond`: how much of what stands
 * behind it is under the part's last marker.
 */
export function partRedactedUntilStable(
  part: Uint8Array,
  { before, after }: Neighbours,
  finder: Finder,
  tally: Tally,
): { readonly bytes: Uint8Array; readonly beyond: number } {
  let bytes = part;
  let beyond = 0;
  for (let round = 0; round < ROUNDS_MAX && !finder.isIdle; round++) {
    const isAlone = before.length + after.length === 0;
    const all = isAlone ? bytes : Buffer.concat([before, bytes, after.subarray(beyond)]);
    const range = { from: before.length, to: before.length + bytes.length };
    const own = finder.find(all, "last").spans.filter(({ start }) => start >= range.from && start < range.to);
    const spans = united(own);
    if (spans.length === 0) break;
    tally.add(spans);
    bytes = withMarkers(all, spans, range);
    beyond += Math.max(0, (spans.at(-1)?.end ?? 0) - range.to);
  }
  return { bytes, beyond };
}
