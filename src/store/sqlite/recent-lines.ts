import { type EntryRow, rowOfLine } from "./segment.ts";

/** What the events of a hundredth of a second are read from, many times over. */
const LINES_MAX = 512;
const LENGTH_MAX = 512 * 1024;

/**
 * What this process has written last, so that whoever tells of it need not read it back. One run without gaps: where another
 * process wrote in between, what came before is left to who reads the store. Kept only while somebody wants it.
 */
export class RecentLines {
  #firstSeq = 1;
  #lines: string[] = [];
  #length = 0;
  #isWanted = false;

  want(): void {
    this.#isWanted = true;
  }

  unwant(): void {
    this.#isWanted = false;
    this.#beginAt(1);
  }

  /** Lines that were committed, the first of them with this number. */
  add(firstSeq: number, lines: readonly string[]): void {
    if (!this.#isWanted) return;
    const length = lines.reduce((sum, line) => sum + line.length, 0);
    const isTooMuch = this.#lines.length + lines.length > LINES_MAX || this.#length + length > LENGTH_MAX;
    if (isTooMuch || firstSeq !== this.#firstSeq + this.#lines.length) this.#beginAt(firstSeq);
    // Of very many at once none is kept: who wants those reads a page of them at a time.
    if (lines.length > LINES_MAX || length > LENGTH_MAX) return;
    for (const line of lines) this.#lines.push(line);
    this.#length += length;
  }

  /** Of the last line; null: there is none here. */
  get lastSeq(): number | null {
    return this.#lines.length === 0 ? null : this.#firstSeq + this.#lines.length - 1;
  }

  /** Null: not all of them are here. */
  rows(from: number, to: number): readonly EntryRow[] | null {
    const begin = from - this.#firstSeq;
    const end = to - this.#firstSeq + 1;
    if (begin < 0 || end > this.#lines.length) return null;
    return this.#lines.slice(begin, end).map((line, at) => rowOfLine(from + at, line));
  }

  #beginAt(firstSeq: number): void {
    this.#firstSeq = firstSeq;
    this.#lines = [];
    this.#length = 0;
  }
}
