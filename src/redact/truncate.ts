import { Buffer } from "node:buffer";

export interface Truncated {
  /** How many bytes there were. */
  readonly bytes: number;
}

const noteFor = (bytes: number): string => `\n[TRUNCATED: ${bytes} bytes in all]`;

/**
 * The start of a text, at most `bytesMax` bytes of UTF-8 with the note that it was cut. No code point is cut in two.
 * Redact before: a secret that is cut here is not recognised any more, and its head would stay.
 */
export function truncateText(
  text: string,
  bytesMax: number,
): { readonly text: string; readonly truncated: Truncated | null } {
  // A UTF-16 unit has at most three bytes: most texts need not be measured.
  if (text.length * 3 <= bytesMax) return { text, truncated: null };
  const all = Buffer.from(text);
  if (all.length <= bytesMax) return { text, truncated: null };
  const note = noteFor(all.length);
  const room = bytesMax - note.length;
  const kept = all.subarray(0, codePointEnd(all, Math.max(room, 0))).toString();
  return { text: room >= 0 ? kept + note : "", truncated: { bytes: all.length } };
}

/** The same for bytes, without a note: they need not be text. A code point at the cut goes whole, if they are. */
export function truncateBytes(
  bytes: Uint8Array,
  bytesMax: number,
): { readonly bytes: Uint8Array; readonly truncated: Truncated | null } {
  if (bytes.length <= bytesMax) return { bytes, truncated: null };
  return { bytes: bytes.subarray(0, codePointEnd(bytes, bytesMax)), truncated: { bytes: bytes.length } };
}

/** UTF-8 has at most three bytes after the first of a code point; more of that kind is no UTF-8, and is cut anywhere. */
const CONTINUATIONS_MAX = 3;

function codePointEnd(bytes: Uint8Array, end: number): number {
  for (let back = 0; back <= CONTINUATIONS_MAX; back++) {
    const byte = bytes[end - back];
    if (byte === undefined || (byte & 0xc0) !== 0x80) return end - back;
  }
  return end;
}
