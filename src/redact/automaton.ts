/**
 * Finds all of many words in one pass (Aho and Corasick 1975): one table look-up per byte, however many words there are.
 * Written here because each package on offer works on strings, and a stream that may hold anything is bytes;
 * `docs/design/004-redaction.md` has the figures.
 *
 * A state is the number of its first table cell. States at which a word ends come last, so `state >= firstHit` is the
 * whole test in the loop that uses it.
 */
export interface Automaton {
  /** The column of a byte. Bytes that are in no word share column 0. */
  readonly columns: Uint8Array;
  readonly next: Int32Array;
  readonly firstHit: number;
  /** Which words end at a state, by their index; longest first. */
  readonly wordsAt: (state: number) => readonly number[];
  /** How many of the latest bytes begin a word. */
  readonly depthAt: (state: number) => number;
}

interface Trie {
  readonly columns: Uint8Array;
  readonly width: number;
  /** Row by row, the next state for each column; 0 = the start. */
  readonly cells: Int32Array;
  readonly depths: Int32Array;
  /** The words that end at a state, where there are any. */
  readonly words: Map<number, readonly number[]>;
  count: number;
}

export function automatonFrom(words: readonly Uint8Array[], letters: "exact" | "any-case"): Automaton {
  const trie = emptyTrie(words, columnsFrom(words, letters));
  for (const [index, word] of words.entries()) addWord(trie, word, index);
  addFallbacks(trie);
  return withHitsLast(trie);
}

function columnsFrom(words: readonly Uint8Array[], letters: "exact" | "any-case"): Uint8Array {
  const columns = new Uint8Array(256);
  let last = 0;
  for (const word of words) {
    for (const byte of word) {
      if (columns[byte] !== 0) continue;
      columns[byte] = ++last;
      if (letters === "any-case") columns[otherCase(byte)] = last;
    }
  }
  return columns;
}

function otherCase(byte: number): number {
  const isLetter = (byte >= 0x41 && byte <= 0x5a) || (byte >= 0x61 && byte <= 0x7a);
  return isLetter ? byte ^ 0x20 : byte;
}

function emptyTrie(words: readonly Uint8Array[], columns: Uint8Array): Trie {
  const statesMax = words.reduce((sum, { length }) => sum + length, 1);
  const width = Math.max(...columns) + 1;
  const [cells, depths] = [new Int32Array(statesMax * width), new Int32Array(statesMax)];
  return { columns, width, cells, depths, words: new Map(), count: 1 };
}

function addWord(trie: Trie, word: Uint8Array, index: number): void {
  let state = 0;
  for (const [at, byte] of word.entries()) {
    const cell = state * trie.width + (trie.columns[byte] as number);
    if (trie.cells[cell] === 0) {
      trie.depths[trie.count] = at + 1;
      trie.cells[cell] = trie.count++;
    }
    state = trie.cells[cell] as number;
  }
  trie.words.set(state, [...(trie.words.get(state) ?? []), index]);
}

/** Breadth first, so that the state a mismatch falls back to is complete before anything falls back to it. */
function addFallbacks({ width, cells, words, count }: Trie): void {
  const fallbacks = new Int32Array(count);
  const queue = [...cells.subarray(0, width)].filter((state) => state !== 0);
  for (let at = 0; at < queue.length; at++) {
    const state = queue[at] as number;
    const fallback = fallbacks[state] as number;
    const shorter = words.get(fallback);
    if (shorter !== undefined) words.set(state, [...(words.get(state) ?? []), ...shorter]);
    for (let column = 0; column < width; column++) {
      const cell = state * width + column;
      const child = cells[cell] as number;
      const other = cells[fallback * width + column] as number;
      if (child === 0) {
        cells[cell] = other;
      } else {
        fallbacks[child] = other;
        queue.push(child);
      }
    }
  }
}

function withHitsLast({ columns, width, cells, depths, words, count }: Trie): Automaton {
  const states = Array.from({ length: count }, (_, state) => state);
  const order = [...states.filter((state) => !words.has(state)), ...states.filter((state) => words.has(state))];
  const places = new Int32Array(count);
  for (const [place, state] of order.entries()) places[state] = place * width;

  const next = new Int32Array(count * width);
  for (const [place, state] of order.entries()) {
    for (let column = 0; column < width; column++) {
      next[place * width + column] = places[cells[state * width + column] as number] as number;
    }
  }
  const stateOf = (placed: number): number => order[placed / width] as number;
  return {
    columns,
    next,
    firstHit: (count - words.size) * width,
    wordsAt: (state) => words.get(stateOf(state)) ?? [],
    depthAt: (state) => depths[stateOf(state)] as number,
  };
}
