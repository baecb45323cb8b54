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
export function redactedUntilStable(bytes: Uint8Array, finder: Finder, tally: Tally): Uint8Array {
  let result = bytes;
  for (let round = 0; round < ROUNDS_MAX && !finder.isIdle; round++) {
    const spans = united(finder.find(result, "last").spans);
    if (spans.length === 0) return result;
    tally.add(spans);
    result = withMarkers(result, spans, { from: 0, to: result.length });
  }
  return result;
}
