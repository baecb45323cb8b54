/** How many lines may be compared for one file. A hostile patch must not hold up other calls. */
const STEPS_MAX = 20_000_000;

/** Looks for lines in the lines of a file. */
export class LineSearch {
  readonly #lines: readonly string[];
  #steps = 0;

  constructor(lines: readonly string[]) {
    this.#lines = lines;
  }

  get length(): number {
    return this.#lines.length;
  }

  /** The search was given up, so that what it did not find may be there all the same. */
  get isExhausted(): boolean {
    return this.#steps > STEPS_MAX;
  }

  fitsAt(place: number, block: readonly string[]): boolean {
    if (place < 0 || place + block.length > this.#lines.length) return false;
    for (const [i, line] of block.entries()) {
      this.#steps++;
      if (this.#lines[place + i] !== line) return false;
    }
    return true;
  }

  /** Where the block stands at `from` or behind it: the first two places are enough to know that it is not the only one. */
  places(block: readonly string[], from: number): readonly number[] {
    const places: number[] = [];
    for (let place = from; place + block.length <= this.length && places.length < 2 && !this.isExhausted; place++) {
      if (this.fitsAt(place, block)) places.push(place);
    }
    return places;
  }

  /** The first line that is `wanted`, but for the spaces around it: it says where to look, never what to change. */
  line(wanted: string, from: number): number | null {
    for (let at = from; at < this.length && !this.isExhausted; at++) {
      this.#steps++;
      if (this.#lines[at]?.trim() === wanted) return at;
    }
    return null;
  }
}
