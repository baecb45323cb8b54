import type { Buffer } from "node:buffer";

/** Shorter texts are looked at faster than they are remembered. */
const LONG = 4096;

/** Texts that were searched, and what is left of them. */
export class SeenTexts {
  readonly #left: Map<string, string>;
  readonly #bytes: ReadonlyMap<string, Buffer | null>;
  readonly #shortest: number;

  /** `ahead`: what was searched before, of whatever length; `bytes`: of what is no text, by its Base64. */
  constructor(ahead: Map<string, string> | null = null, bytes: ReadonlyMap<string, Buffer | null> = new Map()) {
    this.#left = ahead ?? new Map();
    this.#bytes = bytes;
    this.#shortest = ahead === null ? LONG : 0;
  }

  get(text: string): string | undefined {
    return text.length < this.#shortest ? undefined : this.#left.get(text);
  }

  /** Null: nothing is to be taken out of them. */
  bytesOf(data: string): Buffer | null | undefined {
    return this.#bytes.get(data);
  }

  add(text: string, left: string): void {
    if (text.length >= LONG) this.#left.set(text, left);
  }
}
