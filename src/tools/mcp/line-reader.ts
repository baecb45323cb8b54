import { Buffer } from "node:buffer";

const NEWLINE = 10;

/** Lines of a stream of bytes. A line that is cut is kept until its end comes, and no longer than it may be. */
export class LineReader {
  readonly #bytesMax: number;
  #kept: Uint8Array[] = [];
  #bytes = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /** The lines that are whole now; null = one is too long, and the stream is no good any more. */
  push(bytes: Uint8Array): readonly string[] | null {
    const lines: string[] = [];
    let from = 0;
    for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE, from)) {
      if (!this.#keep(bytes.subarray(from, end))) return null;
      lines.push(Buffer.concat(this.#kept).toString("utf8"));
      this.#kept = [];
      this.#bytes = 0;
      from = end + 1;
    }
    return this.#keep(bytes.subarray(from)) ? lines : null;
  }

  #keep(part: Uint8Array): boolean {
    this.#bytes += part.length;
    if (this.#bytes > this.#bytesMax) return false;
    if (part.length > 0) this.#kept.push(part);
    return true;
  }
}
