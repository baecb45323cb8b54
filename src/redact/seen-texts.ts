/** Shorter texts are looked at faster than they are remembered. */
const LONG = 4096;

/** Texts that were searched, and what is left of them. */
export class SeenTexts {
  readonly #left: Map<string, string>;
  readonly #shortest: number;

  /** `ahead`: what was searched before, of whatever length. */
  constructor(ahead: Map<string, string> | null = null) {
    this.#left = ahead ?? new Map();
    this.#shortest = ahead === null ? LONG : 0;
  }

  get(text: string): string | undefined {
    return text.length < this.#shortest ? undefined : this.#left.get(text);
  }

  add(text: string, left: string): void {
    if (text.length >= LONG) this.#left.set(text, left);
  }
}
