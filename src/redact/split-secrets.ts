import { Buffer } from "node:buffer";
import type { Content } from "../domain/outcome.ts";
import type { Finder } from "./found.ts";
import { type Span, united, withMarkers } from "./span.ts";
import type { Tally } from "./tally.ts";

/** How far around a border a secret by its shape is looked for. Tokens, headers and assignments are shorter. */
const REACH_BYTES = 1024;

interface Region {
  readonly from: number;
  readonly to: number;
}

/** A text of a content item, and where it stands in all texts put together. */
interface Piece extends Region {
  readonly index: number;
}

export interface SplitSearch {
  /** In this order, as for a text: what the first has replaced is not there for the second. */
  readonly finders: readonly Finder[];
  /** The longest form of a known value. */
  readonly reachBytes: number;
  readonly tally: Tally;
}

/** More rounds than this need a text made for it. */
const ROUNDS_MAX = 4;

/**
 * Content in which no secret is left, neither in an item nor split over several: a client that puts their texts together would have
 * it. Split ones first: the first part may be redacted by itself, and nothing would show that the second belongs to it. Each
 * marker is a new neighbour, so it all begins again.
 */
export function redactedItems(
  content: readonly Content[],
  search: SplitSearch,
  redactEach: (items: readonly Content[]) => readonly Content[],
): readonly Content[] {
  let clean = content;
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const whole = search.finders.reduce((items, finder) => withoutSplitSecrets(items, finder, search), clean);
    if (whole === clean && round > 0) break;
    clean = redactEach(whole);
    if (clean.length < 2) break;
  }
  return clean;
}

/** The same array if nothing is split. */
function withoutSplitSecrets(
  content: readonly Content[],
  finder: Finder,
  { reachBytes, tally }: SplitSearch,
): readonly Content[] {
  if (finder.isIdle) return content;
  const texts = content.flatMap((item, index) => textOf(item, index) ?? []);
  if (texts.length < 2) return content;
  const joined = Buffer.concat(texts.map(({ bytes }) => bytes));
  const pieces = piecesOf(texts);
  const borders = pieces.slice(1).map(({ from }) => from);
  const spans = splitSpans(joined, borders, finder, Math.max(REACH_BYTES, reachBytes));
  if (spans.length === 0) return content;
  tally.add(spans);
  const changed = [...content];
  for (const { index, from, to } of pieces) {
    const own = spans.filter(({ start, end }) => start < to && end > from);
    if (own.length === 0) continue;
    const local = own.map((span) => ({ ...span, start: Math.max(0, span.start - from), end: span.end - from }));
    const text = Buffer.from(withMarkers(joined.subarray(from, to), local, { from: 0, to: to - from })).toString();
    changed[index] = { ...changed[index], text } as Content;
  }
  return changed;
}

function textOf(item: Content | undefined, index: number) {
  if (typeof item !== "object" || item === null || !("text" in item) || typeof item.text !== "string") return null;
  return item.text === "" ? null : { index, bytes: Buffer.from(item.text) };
}

function piecesOf(texts: readonly { readonly index: number; readonly bytes: Uint8Array }[]): readonly Piece[] {
  let at = 0;
  return texts.map(({ index, bytes }) => {
    const from = at;
    at += bytes.length;
    return { index, from, to: at };
  });
}

/**
 * What is found because the texts stand side by side: the value may begin behind the border, if its name stands before it. A part of a
 * text that only its region cuts off does not count.
 */
function splitSpans(
  joined: Uint8Array,
  borders: readonly number[],
  finder: Finder,
  reachBytes: number,
): readonly Span[] {
  const found = regionsAround(borders, reachBytes, joined.length).flatMap(({ from, to }) => {
    const first = borders[firstBehind(from, borders)] ?? from;
    return finder
      .find(joined.subarray(from, to), "last")
      .spans.map((span) => ({ ...span, start: span.start + from, end: span.end + from }))
      .filter((span) => crossesOne(span, borders) || (span.start >= first && (span.end < to || to === joined.length)));
  });
  return united(found);
}

/** Regions that overlap become one, so that no text is searched twice however many items there are. */
function regionsAround(borders: readonly number[], reachBytes: number, length: number): readonly Region[] {
  const regions: { from: number; to: number }[] = [];
  for (const border of borders) {
    const [from, to] = [Math.max(0, border - reachBytes), Math.min(length, border + reachBytes)];
    const last = regions.at(-1);
    if (last !== undefined && from <= last.to) last.to = to;
    else regions.push({ from, to });
  }
  return regions;
}

const crossesOne = ({ start, end }: Span, borders: readonly number[]): boolean =>
  (borders[firstBehind(start, borders)] ?? Number.POSITIVE_INFINITY) < end;

/** The index of the first border behind a place. Borders are in order. */
function firstBehind(place: number, borders: readonly number[]): number {
  let [low, high] = [0, borders.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((borders[middle] as number) > place) high = middle;
    else low = middle + 1;
  }
  return low;
}
