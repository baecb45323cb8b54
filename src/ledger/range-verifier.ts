import type { Buffer } from "node:buffer";
import { type Digest, digestOfBytes } from "../domain/digest.ts";
import type { Link } from "./chain.ts";
import type { Finding } from "./finding.ts";
import { LinkReader } from "./link-reader.ts";
import { type Subtree, TreeBuilder } from "./tree.ts";

export interface RangeStart {
  /** The seq of the first row. */
  readonly from: number;
  /** The hash of the entry before, or null where another thread reads it: `judgeLedger` then checks the border. */
  readonly prev: Digest | null;
  /** The checkpoints' sizes; those outside the range do no harm. */
  readonly sizes: readonly number[];
}

/** The state after entry `size`, to be held against a checkpoint. */
export interface Mark {
  readonly size: number;
  readonly head: Digest;
  readonly subtrees: readonly Subtree[];
}

/** Two neighbours contradict each other, and the row behind them tells which one is wrong. */
export interface Doubt {
  readonly seq: number;
  readonly hash: Digest;
  /** What the row's text says it is. */
  readonly found: number;
}

/** What the range before needs to know. */
export interface FirstRow {
  readonly seq: number;
  /** Null: not intact. */
  readonly link: Link | null;
}

/** What became of a range. Plain data: a worker can post it. */
export interface RangeResult {
  readonly from: number;
  /** Sound rows, from the first on. */
  readonly count: number;
  /** Null: the range has no rows. */
  readonly first: FirstRow | null;
  /** Of the last sound row, if there is one. */
  readonly head: Digest | null;
  readonly marks: readonly Mark[];
  /** Of the sound rows. */
  readonly subtrees: readonly Subtree[];
  readonly finding: Finding | null;
  /** Set when the range ended before it could become a finding. */
  readonly doubt: Doubt | null;
}

/** Takes the rows of a range in order of their seq, up to the first flaw. */
export class RangeVerifier {
  readonly #start: RangeStart;
  readonly #tree: TreeBuilder;
  readonly #sizes: ReadonlySet<number>;
  readonly #marks: Mark[] = [];
  readonly #links = new LinkReader();
  #next: number;
  #head: Digest | null;
  #first: FirstRow | null = null;
  #finding: Finding | null = null;
  #doubt: Doubt | null = null;

  constructor(start: RangeStart) {
    this.#start = start;
    this.#tree = new TreeBuilder(start.from - 1);
    this.#sizes = new Set(start.sizes);
    this.#next = start.from;
    this.#head = start.prev;
  }

  /** `text`: the bytes that are stored. Whether it wants the next row. */
  add(seq: number, recordedHash: Digest, text: Buffer): boolean {
    if (this.#finding !== null) return false;
    const hash = digestOfBytes(text);
    const isIntact = hash === recordedHash;
    const link = isIntact ? this.#links.read(text, this.#next, this.#head) : null;
    if (this.#doubt !== null) {
      this.#finding = settle(this.#doubt, link);
      return false;
    }
    this.#first ??= { seq, link };
    this.#finding = this.#flawOf(seq, isIntact, link);
    if (this.#finding === null && link !== null) this.#follow(hash, link);
    return this.#finding === null;
  }

  result(): RangeResult {
    const count = this.#next - this.#start.from;
    return {
      from: this.#start.from,
      count,
      first: this.#first,
      head: count === 0 ? null : this.#head,
      marks: this.#marks,
      subtrees: this.#tree.subtrees(),
      finding: this.#finding,
      doubt: this.#finding === null ? this.#doubt : null,
    };
  }

  /** What is certain without looking at the next row. */
  #flawOf(seq: number, isIntact: boolean, link: Link | null): Finding | null {
    const expected = this.#next;
    if (seq !== expected) return gap(expected, seq);
    if (link === null) return { kind: "altered", seq, what: isIntact ? "form" : "hash" };
    const isRival = link.seq === expected - 1;
    return link.seq === expected || isRival ? null : { kind: "gap", seq, found: link.seq };
  }

  #follow(hash: Digest, link: Link): void {
    const seq = this.#next;
    if (link.seq !== seq || (this.#head !== null && link.prev !== this.#head)) {
      this.#doubt = { seq, hash, found: link.seq };
      return;
    }
    this.#head = hash;
    this.#next = seq + 1;
    this.#tree.add(hash);
    if (this.#sizes.has(seq)) this.#marks.push({ size: seq, head: hash, subtrees: this.#tree.subtrees() });
  }
}

/** Names the wrong one of two neighbours. `behind` is the row after them, null where there is none that is intact. */
export function settle({ seq, hash, found }: Doubt, behind: Link | null): Finding {
  if (found !== seq) {
    // Two rows claim to be entry `found`. Where the next row counts on undisturbed, the second overwrote entry `seq`;
    // where it lags by one as well, everything was moved to make room for one of the two.
    return { kind: "gap", seq: behind?.seq === seq + 1 ? seq : found, found };
  }
  // The entry does not follow the one before. If the next one follows it, it is the one before that was replaced.
  return behind?.prev === hash && seq > 1 ? { kind: "replaced", seq: seq - 1 } : { kind: "broken-link", seq };
}

/** A row whose number came before is that entry's double; any other stands in the place of the expected one. */
const gap = (expected: number, found: number): Finding => ({
  kind: "gap",
  seq: found > 0 && found < expected ? found : expected,
  found,
});
