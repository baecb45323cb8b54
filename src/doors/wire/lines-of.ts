/** A line of a file. */
export interface Line {
  /** From 1. */
  readonly number: number;
  /** Without its end; null = it is longer than may be. */
  readonly bytes: Uint8Array | null;
}

const LINE_FEED = 10;

/** The lines of a file that comes in pieces. Holds one line at a time, and of one that is too long nothing. */
export async function* linesOf(chunks: AsyncIterable<Uint8Array>, bytesMax: number): AsyncGenerator<Line, void, void> {
  let number = 1;
  let parts: Uint8Array[] = [];
  let size = 0;
  const add = (part: Uint8Array): void => {
    size += part.length;
    if (size > bytesMax) parts = [];
    else parts.push(part);
  };
  const taken = (): Line => {
    const line = { number, bytes: size > bytesMax ? null : Buffer.concat(parts) };
    number += 1;
    parts = [];
    size = 0;
    return line;
  };
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, start)) {
      add(chunk.subarray(start, end));
      start = end + 1;
      yield taken();
    }
    add(chunk.subarray(start));
  }
  if (size > 0) yield taken();
}
