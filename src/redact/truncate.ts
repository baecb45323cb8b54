import { Buffer } from "node:buffer";

export interface Truncated {
  readonly text: string;
  /** How many bytes there were; null = all of them are there. */
  readonly bytes: number | null;
}

/**
 * The start and the end of a text, at most `bytesMax` bytes of UTF-8 with the note between them: what went wrong is told
 * at the end, what it is about at the start. No code point is cut in two.
 * Redact before: a secret that is cut here is not recognised any more, and a part of it would stay.
 */
export function truncateText(text: string, bytesMax: number, howToGetIt = ""): Truncated {
  // A UTF-16 unit has at most three bytes: most texts need not be measured.
  if (text.length * 3 <= bytesMax) return { text, bytes: null };
  const all = Buffer.from(text);
  if (all.length <= bytesMax) return { text, bytes: null };
  const note = `\n[TRUNCATED: ${all.length} bytes in all${howToGetIt && `; ${howToGetIt}`}]\n`;
  const room = bytesMax - Buffer.byteLength(note);
  if (room < 0) return { text: "", bytes: all.length };
  const head = all.toString("utf8", 0, borderBefore(all, Math.ceil(room / 2)));
  const tail = all.toString("utf8", borderAfter(all, all.length - Math.floor(room / 2)));
  return { text: head + note + tail, bytes: all.length };
}

const isContinuation = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80;

function borderBefore(bytes: Buffer, from: number): number {
  let at = from;
  while (isContinuation(bytes[at])) at--;
  return at;
}

function borderAfter(bytes: Buffer, from: number): number {
  let at = from;
  while (isContinuation(bytes[at])) at++;
  return at;
}
