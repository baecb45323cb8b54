import { Buffer, isUtf8 } from "node:buffer";

/*
 * Names of files are bytes, and some are no UTF-8. In a text of this form each byte above 127 of such a name is one unpaired
 * surrogate, U+DC80 to U+DCFF, so that no two names have the same text and none is lost.
 */

/** One name, without slashes. */
export function nameFromBytes(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString();
  return bytes
    .toString("latin1")
    .replaceAll(/[\u0080-\u00ff]/g, (byte) => String.fromCharCode(0xdc00 + byte.charCodeAt(0)));
}

/** For calls of the kernel. */
export const bytesFromName = (text: string): Buffer =>
  text.isWellFormed() ? Buffer.from(text) : Buffer.concat(Array.from(text, bytesOf));

function bytesOf(letter: string): Buffer {
  const code = letter.codePointAt(0) ?? 0;
  return code >= 0xdc80 && code <= 0xdcff ? Buffer.from([code - 0xdc00]) : Buffer.from(letter);
}
