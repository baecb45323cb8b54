import { Buffer } from "node:buffer";
import { GatheredBytes } from "../../domain/gathered-bytes.ts";

const NEWLINE = 10;

/** Lines of a stream of bytes. A line that is cut is kept until its end comes, and no longer than it may be. */
export class LineReader {
  readonly #bytesMax: number;
  #kept = new GatheredBytes();
  #bytes = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /** The lines that are whole now; null = one is too long, and the stream is no good any more. */
  push(given: Uint8Array): readonly string[] | null {
    const bytes = asBuffer(given);
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
    this.#kept.push(bytes.subarray(from, end));
    const line = asBuffer(this.#kept.whole()).toString("utf8");
    this.#kept = new GatheredBytes();
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

/** The same bytes, and no copy of them. */
const asBuffer = (bytes: Uint8Array): Buffer =>
  Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
