import type { Digest } from "../../domain/digest.ts";

/** The hashes of entries that follow each other: of all behind the first `begin`, as far as they go. */
export interface Run {
  readonly begin: number;
  readonly hashes: readonly Digest[];
}

/** A second of calls as fast as they can be made; what comes beyond is read back, which costs less than the memory. */
const HASHES_MAX = 65_536;

/**
 * What this process has written since it was last asked, so that nobody has to read it back to sign for it. One run without
 * gaps: where another process wrote in between, what came before the gap is left to who reads the store.
 */
export class OwnHashes {
  #begin = 0;
  #hashes: Digest[] = [];
  #isFull = false;

  /** Entries that were committed, the first of them with this number. */
  add(firstSeq: number, hashes: readonly Digest[]): void {
    if (this.#isFull) return;
    if (firstSeq !== this.#begin + this.#hashes.length + 1) this.#beginAt(firstSeq - 1);
    this.#isFull = this.#hashes.length + hashes.length > HASHES_MAX;
    if (!this.#isFull) for (const hash of hashes) this.#hashes.push(hash);
  }

  /** The run so far, and a new one begins behind it. */
  take(): Run {
    const run = { begin: this.#begin, hashes: this.#hashes };
    this.#beginAt(run.begin + run.hashes.length);
    return run;
  }

  #beginAt(size: number): void {
    this.#begin = size;
    this.#hashes = [];
    this.#isFull = false;
  }
}
