import { Buffer } from "node:buffer";

/** Each takes some hundred bytes beside its own, which of a body in pieces of one byte are nearly all. */
const PIECES_MAX = 256;

/** What comes in pieces, kept in hardly more memory than it has bytes. */
export class GatheredBytes {
  readonly #joined: Uint8Array[] = [];
  #pieces: Uint8Array[] = [];

  push(piece: Uint8Array): void {
    this.#pieces.push(piece);
    if (this.#pieces.length < PIECES_MAX) return;
    this.#joined.push(Buffer.concat(this.#pieces));
    this.#pieces = [];
  }

  /** How many objects are held. */
  get count(): number {
    return this.#joined.length + this.#pieces.length;
  }

  whole(): Uint8Array {
    const all = [...this.#joined, ...this.#pieces];
    return all.length === 1 && all[0] ? all[0] : Buffer.concat(all);
  }
}
