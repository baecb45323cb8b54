const WINDOW = 6;
const BITS_PER_CHARACTER = 5;
const WINDOW_MASK = (1 << (WINDOW * BITS_PER_CHARACTER)) - 1;
const CELLS_BITS = 13;
const LF = 10;
const CR = 13;

/**
 * Whether a text may hold one of some byte patterns, judged by the first six bytes of each. Like the search itself it
 * does not count line breaks. A no is certain; after a yes the bytes have to be searched.
 */
export class KnownSieve {
  readonly #cells = new Uint8Array(1 << CELLS_BITS);
  readonly #heads = new Set<number>();
  /** Some head holds bytes of characters that are more than a byte: then each such character may begin one. */
  #isForeign = false;

  /** Patterns have at least six bytes, and no line breaks. */
  constructor(patterns: Iterable<Uint8Array>) {
    for (const pattern of patterns) {
      let window = 0;
      for (const byte of pattern.subarray(0, WINDOW)) {
        if (byte > 0x7f) this.#isForeign = true;
        window = shifted(window, byte);
      }
      this.#heads.add(window);
      this.#cells[cellOf(window)] = 1;
    }
  }

  mayHold(text: string): boolean {
    const cells = this.#cells;
    let window = 0;
    for (let at = 0; at < text.length; at++) {
      const unit = text.charCodeAt(at);
      if (unit === LF || unit === CR) continue;
      if (unit > 0x7f && this.#isForeign) return true;
      window = shifted(window, unit);
      if (cells[cellOf(window)] === 1 && this.#heads.has(window)) return true;
    }
    return false;
  }
}

/** What is more than six characters back is shifted out. */
const shifted = (window: number, unit: number): number =>
  ((window << BITS_PER_CHARACTER) ^ (unit & 0x7f)) & WINDOW_MASK;

const cellOf = (window: number): number => Math.imul(window, 0x9e3779b1) >>> (32 - CELLS_BITS);
