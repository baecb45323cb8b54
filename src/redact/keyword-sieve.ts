const WINDOW = 3;
const CELLS_BITS = 12;

/**
 * Whether one of some words stands in a text, in capitals or not. Answers for a short text before bytes of it are made
 * or an automaton is built: most texts hold none, and a call must not pay for that.
 */
export class KeywordSieve {
  readonly #cells = new Uint8Array(1 << CELLS_BITS);
  readonly #wordsOf: ReadonlyMap<number, readonly string[]>;

  /** Words are ASCII, in lower case, and have at least three characters. */
  constructor(words: Iterable<string>) {
    this.#wordsOf = Map.groupBy(words, windowOf);
    for (const window of this.#wordsOf.keys()) this.#cells[cellOf(window)] = 1;
  }

  /** A no is certain. */
  mayHold(text: string): boolean {
    const cells = this.#cells;
    let window = 0;
    for (let at = 0; at < text.length; at++) {
      window = ((window << 8) | ((text.charCodeAt(at) | 0x20) & 0xff)) & 0xffffff;
      if (cells[cellOf(window)] === 1 && this.#stands(window, text, at + 1 - WINDOW)) return true;
    }
    return false;
  }

  #stands(window: number, text: string, from: number): boolean {
    const words = this.#wordsOf.get(window) ?? [];
    return words.some((word) => text.slice(from, from + word.length).toLowerCase() === word);
  }
}

function windowOf(word: string): number {
  if (word.length < WINDOW) throw new RangeError(`the keyword \`${word}\` has fewer than ${WINDOW} characters`);
  let window = 0;
  for (let at = 0; at < WINDOW; at++) window = (window << 8) | ((word.charCodeAt(at) | 0x20) & 0xff);
  return window;
}

/** Knuth's multiplicative hash. */
const cellOf = (window: number): number => Math.imul(window, 0x9e3779b1) >>> (32 - CELLS_BITS);
