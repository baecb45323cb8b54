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
  push(given: Uint8Array): readonly string[] | null {
    const bytes = Buffer.isBuffer(given) ? given : Buffer.from(given.buffer, given.byteOffset, given.length);
    const lines: string[] = [];
    let from = 0;
    for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE, from)) {
      const line = this.#line(bytes, from, end);
      if (line === null) return null;
      lines.push(line);
      from = end + 1;
    }
    return from === bytes.length || this.#keep(bytes.subarray(from)) ? lines : null;
  }

  /** Most lines come in one piece, and are never put together. */
  #line(bytes: Buffer, from: number, end: number): string | null {
    if (this.#bytes + end - from > this.#bytesMax) return null;
    if (this.#bytes === 0) return bytes.toString("utf8", from, end);
    const line = Buffer.concat([...this.#kept, bytes.subarray(from, end)]).toString("utf8");
    this.#kept = [];
    this.#bytes = 0;
    return line;
  }

  #keep(part: Uint8Array): boolean {
    this.#bytes += part.length;
    if (this.#bytes > this.#bytesMax) return false;
    this.#kept.push(part);
    return true;
  }
}
