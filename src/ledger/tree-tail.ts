import type { Digest } from "../domain/digest.ts";
import { type Subtree, TreeBuilder } from "./tree.ts";

/** What a run of entries adds to the tree: those behind the first `begin`, up to `end`. */
export interface Grown {
  readonly begin: number;
  readonly end: number;
  readonly subtrees: readonly Subtree[];
  /** The hash of the last of them. */
  readonly head: Digest;
}

/** Hashes wait until there are so many, because the tree takes many in a row faster than one now and then. */
const WAITING_MAX = 512;

/**
 * The tree over what this process has written since it was last asked, so that nobody has to read it back for that. Holds
 * one run without gaps: where another process wrote in between, what came before the gap is left to who reads the store.
 */
export class TreeTail {
  #tree = new TreeBuilder();
  #begin = 0;
  #end = 0;
  #head: Digest | null = null;
  #waiting: Digest[] = [];
  #soon: NodeJS.Immediate | null = null;

  /** Entries that were committed, the first of them with this number. */
  add(firstSeq: number, hashes: readonly Digest[]): void {
    if (firstSeq !== this.#end + 1) this.#beginAt(firstSeq - 1);
    for (const hash of hashes) this.#waiting.push(hash);
    this.#end += hashes.length;
    this.#head = hashes.at(-1) ?? this.#head;
    // Not now: whoever waits for these entries waits for the disk first.
    if (this.#waiting.length >= WAITING_MAX) this.#soon ??= setImmediate(() => this.#grow());
  }

  /** The run so far, and a new one begins. Null: nothing was written. */
  take(): Grown | null {
    this.#grow();
    const [begin, end, head] = [this.#begin, this.#end, this.#head];
    const subtrees = this.#tree.subtrees();
    this.#beginAt(end);
    return head === null ? null : { begin, end, subtrees, head };
  }

  #beginAt(size: number): void {
    this.#tree = new TreeBuilder(size);
    this.#begin = size;
    this.#end = size;
    this.#head = null;
    this.#waiting = [];
  }

  #grow(): void {
    if (this.#soon !== null) clearImmediate(this.#soon);
    this.#soon = null;
    for (const hash of this.#waiting) this.#tree.add(hash);
    this.#waiting = [];
  }
}
