import { Buffer } from "node:buffer";
import type { Secret } from "../domain/secret.ts";
import { type Automaton, automatonFrom } from "./automaton.ts";
import { cutSpans } from "./cut-values.ts";
import type { Finder, Found, Moment } from "./found.ts";
import { formsOf } from "./known-forms.ts";
import { KnownSieve } from "./known-sieve.ts";
import type { Span } from "./span.ts";

export interface NamedSecret {
  readonly name: string;
  readonly value: Secret;
}

interface Pattern {
  readonly rule: string;
  readonly bytes: Uint8Array;
}

/** What the automaton looks for is the head of a pattern. The rest is compared, so a table of 4 KB keys stays small. */
const HEAD_BYTES = 32;
const FORM_BYTES_MIN = 6;
/** A line of a key file is secret by itself: `sed` and `grep` print single lines, YAML indents each. */
const LINE_LENGTH_MIN = 16;
const PEM_FRAME = /^-----(?:BEGIN|END) /;
const LF = 10;
const CR = 13;
/** CR and LF. */
const LINE_BREAK_BYTES = 2;

/** Finds the values of secrets, in all forms of `formsOf`, in one pass over any bytes. */
export class KnownValues implements Finder {
  readonly #heads: readonly (readonly Pattern[])[];
  readonly #headLengths: readonly number[];
  readonly #words: readonly Uint8Array[];
  readonly #sieve: KnownSieve;
  readonly #breakBytesMax: number;
  #built: Automaton | null = null;

  constructor(secrets: readonly NamedSecret[]) {
    const patterns = secrets.flatMap(patternsOf).toSorted((a, b) => b.bytes.length - a.bytes.length);
    const heads = Map.groupBy(patterns, ({ bytes }) => Buffer.from(bytes).toString("latin1", 0, HEAD_BYTES));
    const words = [...heads.keys()].map((head) => Buffer.from(head, "latin1"));
    this.matchBytesMax = patterns[0]?.bytes.length ?? 0;
    this.#heads = [...heads.values()];
    this.#headLengths = words.map((word) => word.length);
    this.#words = words;
    this.#sieve = new KnownSieve(patterns.map(({ bytes }) => bytes));
    this.#breakBytesMax = Math.max(LINE_BREAK_BYTES, ...secrets.map(({ value }) => longestBreak(value.reveal())));
  }

  /** How long the longest form is, in bytes without line breaks. */
  readonly matchBytesMax: number;

  get isIdle(): boolean {
    return this.#heads.length === 0;
  }

  mayFind(text: string): boolean {
    return !this.isIdle && this.#sieve.mayHold(text);
  }

  isCutOtherwise(): boolean {
    return false;
  }

  findCut(bytes: Uint8Array): readonly Span[] {
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1");
    const patterns = this.#heads.flat();
    return cutSpans(
      text,
      patterns.map(({ rule, bytes: value }) => ({ rule, text: Buffer.from(value).toString("latin1") })),
    );
  }

  /** Built when the first text gets past the sieve: for twenty secrets it takes as long as all the rest of a start. */
  get #automaton(): Automaton {
    this.#built ??= automatonFrom(this.#words, "exact");
    return this.#built;
  }

  /**
   * Line breaks don't count, up to one more than a text has by itself; a longer run ends what has begun, or an endless
   * stream of them would have to be held back.
   */
  find(bytes: Uint8Array, moment: Moment): Found {
    const { columns, next, firstHit, wordsAt, depthAt } = this.#automaton;
    const breakBytesMax = this.#breakBytesMax;
    const spans: Span[] = [];
    let open = bytes.length;
    let state = 0;
    let breakBytes = 0;
    for (let at = 0; at < bytes.length; at++) {
      const byte = bytes[at] as number;
      if (byte === LF || byte === CR) {
        if (++breakBytes > breakBytesMax) state = 0;
        continue;
      }
      breakBytes = 0;
      state = next[state + (columns[byte] as number)] as number;
      if (state < firstHit) continue;
      for (const word of wordsAt(state)) {
        const start = startOf(bytes, at, this.#headLengths[word] as number);
        for (const pattern of this.#heads[word] ?? []) {
          const end = this.#endOf(pattern.bytes, bytes, at + 1);
          if (end === "more") open = Math.min(open, start);
          else if (end !== null) spans.push({ start, end, rule: pattern.rule });
        }
      }
    }
    if (moment === "last") return { spans, settled: bytes.length };
    const depth = depthAt(state);
    return { spans, settled: depth === 0 ? open : Math.min(open, startOf(bytes, bytes.length - 1, depth)) };
  }

  /** Where a pattern whose head was just read ends; null = another text, `more` = the bytes end before it does. */
  #endOf(pattern: Uint8Array, bytes: Uint8Array, from: number): number | "more" | null {
    let at = from;
    let breakBytes = 0;
    for (let read = Math.min(HEAD_BYTES, pattern.length); read < pattern.length; at++) {
      if (at === bytes.length) return "more";
      const byte = bytes[at];
      if (byte === LF || byte === CR) {
        if (++breakBytes > this.#breakBytesMax) return null;
        continue;
      }
      if (byte !== pattern[read]) return null;
      breakBytes = 0;
      read++;
    }
    return at;
  }
}

/** Where the latest `count` bytes that are no line breaks begin, counted back from `end`. */
function startOf(bytes: Uint8Array, end: number, count: number): number {
  let left = count;
  let at = end + 1;
  while (left > 0) {
    at--;
    if (bytes[at] !== LF && bytes[at] !== CR) left--;
  }
  return at;
}

function patternsOf({ name, value }: NamedSecret): readonly Pattern[] {
  const whole = value.reveal();
  const lines = whole.split(/\r\n|\r|\n/).map((line) => line.trim());
  const secretLines = lines.filter((line) => line.length >= LINE_LENGTH_MIN && !PEM_FRAME.test(line));
  const ofLines = lines.length > 1 ? secretLines.flatMap((line) => [...formsOf(line, "line")]) : [];
  const forms = new Set([...formsOf(whole), ...ofLines]);
  const patterns = [...forms].map((form) => ({ rule: name, bytes: Buffer.from(form, "latin1") }));
  return patterns.filter(({ bytes }) => bytes.length >= FORM_BYTES_MIN);
}

const longestBreak = (value: string): number =>
  Math.max(0, ...(value.match(/[\r\n]+/g) ?? []).map((run) => run.length));
