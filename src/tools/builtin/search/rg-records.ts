/** One line of what ripgrep prints, or the beginning of one that is too long to be kept. */
export interface RgRecord {
  readonly json: string;
  /** Given when the record was cut: the number of the line that it tells of. */
  readonly cut?: { readonly line: number | null };
}

const RECORD_BYTES_MAX = 1024 * 1024;
const LINE_END = 0x0a;
/** Longer than what is looked for in a part that is dropped. */
const OVERLAP_BYTES = 64;

/** Takes ripgrep's output apart, however it comes in pieces. Never keeps more than one record, and of that so much. */
export class RgRecords {
  #pieces: Buffer[] = [];
  #bytes = 0;
  #dropped: { line: number | null; end: string } | null = null;

  *add(chunk: Uint8Array): Generator<RgRecord> {
    const buffer = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    let start = 0;
    for (let end = buffer.indexOf(LINE_END); end !== -1; end = buffer.indexOf(LINE_END, start)) {
      this.#keep(buffer.subarray(start, end));
      start = end + 1;
      yield this.#record();
    }
    this.#keep(buffer.subarray(start));
  }

  #keep(piece: Buffer): void {
    const room = RECORD_BYTES_MAX - this.#bytes;
    if (piece.length <= room) this.#pieces.push(piece);
    else {
      if (room > 0) this.#pieces.push(piece.subarray(0, room));
      this.#drop(piece.subarray(Math.max(room, 0)));
    }
    this.#bytes += piece.length;
  }

  /** The number stands behind the text. Within the text its quotes would be escaped, so it can't be mistaken. */
  #drop(piece: Buffer): void {
    this.#dropped ??= { line: null, end: this.#head().slice(-OVERLAP_BYTES) };
    const text = this.#dropped.end + piece.toString("latin1");
    this.#dropped.line ??= lineNumberIn(text);
    this.#dropped.end = text.slice(-OVERLAP_BYTES);
  }

  #record(): RgRecord {
    const [json, dropped] = [this.#head(), this.#dropped];
    this.#pieces = [];
    this.#bytes = 0;
    this.#dropped = null;
    return dropped === null ? { json } : { json, cut: { line: dropped.line ?? lineNumberIn(json) } };
  }

  #head(): string {
    return (this.#pieces.length === 1 ? this.#pieces[0] : Buffer.concat(this.#pieces))?.toString() ?? "";
  }
}

function lineNumberIn(text: string): number | null {
  const found = /,"line_number":(\d+),/.exec(text)?.[1];
  return found === undefined ? null : Number(found);
}
