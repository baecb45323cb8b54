import { Buffer } from "node:buffer";
import type { CheckedPath, Files } from "../../../ports/files.ts";
import { REACH_BYTES } from "../../../redact/cut-part.ts";
import { markerOf } from "../../../redact/marker.ts";
import type { Redactor } from "../../../redact/redactor.ts";

/** What may stand in a private key's lines, in whatever quotes: two tests, each linear in the line. */
const KEY_CHARACTERS_ONLY = /^[A-Za-z0-9+/=\s\\:;,."'#>|()*@<_-]*$/;
const KEY_RUN = /[A-Za-z0-9+/]{16}/;
/** Nearly nothing but Base64: for files in which nobody looks for the key itself. */
const LONG_RUN = /[A-Za-z0-9+/]{40,}/;
const RUN_SHARE = 0.8;

export const mayBeOfKey = (line: string): boolean => KEY_CHARACTERS_ONLY.test(line) && KEY_RUN.test(line);

const isNearlyAllKey = (line: string): boolean =>
  (LONG_RUN.exec(line)?.[0].length ?? 0) >= RUN_SHARE * line.trim().length;

/** Of a larger file nobody knows what such a line is. */
const FILE_BYTES_MAX = 8 * 1024 * 1024;

const LINE_END = 0x0a;
const BEGIN = "-----BEGIN";
const UNSURE = markerOf("private-key");

/** Of one search: each takes milliseconds, and somebody may have written files that need thousands. */
export class CloseLooks {
  #left = 64;

  take(): boolean {
    return this.#left-- > 0;
  }
}

/** What may be shown of a line, seen with what stands around it in its file. */
export type LineLook = (line: { readonly number: number; readonly text: string }) => string;

/**
 * How to look at lines of a file, in their order. A line of a private key is none by itself: the file has to be looked at, as
 * it is now. Where that can't be done, or the line is no longer there, it is not shown.
 */
export async function lineLook(
  files: Files,
  redactor: Pick<Redactor, "redactCut">,
  path: string,
  closeLooks: CloseLooks,
): Promise<LineLook> {
  const read = await files.read(path as CheckedPath, { offset: 0, limit: FILE_BYTES_MAX + 1 });
  if (!read.ok || read.value.length > FILE_BYTES_MAX) return ({ text }) => (isNearlyAllKey(text) ? UNSURE : text);
  const content = Buffer.from(read.value.buffer, read.value.byteOffset, read.value.length);
  const startOf = lineStarts(content);
  return ({ number, text }) => {
    const start = startOf(number);
    const end = start + Buffer.byteLength(text);
    if (content.toString("utf8", start, end) !== text) return UNSURE;
    const part = content.subarray(start, end);
    const before = content.subarray(Math.max(0, start - REACH_BYTES), start);
    if (!before.includes(BEGIN)) return text;
    if (!closeLooks.take()) return UNSURE;
    const shown = redactor.redactCut(part, { before, after: content.subarray(end, end + REACH_BYTES) });
    return shown === part ? text : Buffer.from(shown).toString();
  };
}

/** Where lines begin, for who asks for one after the other: the way to the last one is not gone again. */
function lineStarts(content: Buffer): (number: number) => number {
  let [known, at] = [1, 0];
  return (number) => {
    if (number < known) [known, at] = [1, 0];
    while (known < number) {
      const found = content.indexOf(LINE_END, at);
      if (found < 0) return content.length;
      known++;
      at = found + 1;
    }
    return at;
  };
}
