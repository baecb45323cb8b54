import { Buffer } from "node:buffer";
import { FormatFinder, latin1From } from "./format-finder.ts";
import { MATCH_BYTES_MAX } from "./format-rule.ts";
import type { Finder, Found, Moment } from "./found.ts";
import { MARKER_START as MARKER_TEXT, markerPlaces } from "./marker.ts";
import type { Span } from "./span.ts";
import { type UserPattern, userSpans } from "./user-patterns.ts";

const MARKER_START = Buffer.from(MARKER_TEXT);
const KEY_BEGIN = Buffer.from("-----BEGIN ");
const KEY_END = Buffer.from("-----END ");
const LF = 10;
const CR = 13;

/** Finds what has the shape of a secret: by our own rules, by the user's patterns, or both. */
export class ShapeFinder implements Finder {
  readonly #formats: FormatFinder | null;
  readonly #patterns: readonly UserPattern[];

  constructor(builtin: "on" | "off", patterns: readonly UserPattern[]) {
    this.#formats = builtin === "on" ? new FormatFinder() : null;
    this.#patterns = patterns;
  }

  get isIdle(): boolean {
    return this.#formats === null && this.#patterns.length === 0;
  }

  /** A user's pattern may match as much as a line has, and speak of its ends: in a stream, a long line is cut into parts. */
  isCutOtherwise(text: string): boolean {
    return this.#patterns.length > 0 && hasLongLine(text);
  }

  /** A part of a shape has no shape. */
  findCut(): readonly Span[] {
    return [];
  }

  /** Users' patterns have no keywords: where there are some, each text is searched. */
  mayFind(text: string): boolean {
    return this.#patterns.length > 0 || (this.#formats?.mayFind(text) ?? false);
  }

  /** INVARIANT (marker): nothing is found inside of a marker or across one, so a redacted text stays as it is. */
  find(bytes: Uint8Array, moment: Moment): Found {
    const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    const spans = view.includes(MARKER_START) ? this.#aroundMarkers(view) : this.#plain(view);
    return { spans, settled: moment === "last" ? view.length : settledIn(view) };
  }

  #aroundMarkers(view: Buffer): readonly Span[] {
    const places = markerPlaces(latin1From(view));
    const starts = [0, ...places.map(({ end }) => end)];
    const ends = [...places.map(({ start }) => start), view.length];
    return starts.flatMap((start, index) => {
      const found = this.#plain(view.subarray(start, ends[index]));
      return found.map((span) => ({ ...span, start: span.start + start, end: span.end + start }));
    });
  }

  #plain(view: Buffer): readonly Span[] {
    return [...userSpans(this.#patterns, view), ...(this.#formats?.find(view) ?? [])];
  }
}

/**
 * Whole lines are decided, except from the line on in which a private key has begun. In a line that is longer than any
 * match, all is decided that no match can reach any more.
 */
function settledIn(view: Buffer): number {
  const lines = view.subarray(0, lineStart(view));
  const keyAt = lines.lastIndexOf(KEY_BEGIN);
  const isOpen = keyAt !== -1 && lines.indexOf(KEY_END, keyAt) === -1;
  const open = isOpen ? lineStart(lines.subarray(0, keyAt)) : lines.length;
  return Math.max(open, view.length - MATCH_BYTES_MAX, 0);
}

/** Of a character of a text, at the most. */
const UTF8_BYTES_MAX = 3;

/** Whether a line is longer than what a stream keeps of it for sure. */
function hasLongLine(text: string): boolean {
  const most = MATCH_BYTES_MAX / UTF8_BYTES_MAX;
  let start = 0;
  while (text.length - start > most) {
    const part = text.slice(start, start + most);
    const end = Math.max(part.lastIndexOf("\n"), part.lastIndexOf("\r"));
    if (end === -1) return true;
    start += end + 1;
  }
  return false;
}

/** Where the last line of some bytes begins. */
const lineStart = (bytes: Buffer): number => Math.max(bytes.lastIndexOf(LF), bytes.lastIndexOf(CR)) + 1;
