import { Buffer } from "node:buffer";
import type { CheckedPath, Files } from "../../../ports/files.ts";
import { REACH_BYTES } from "../../../redact/cut-part.ts";
import { markerOf } from "../../../redact/marker.ts";
import type { Redactor } from "../../../redact/redactor.ts";
import { linesIn } from "../line-range.ts";

/** A line that could be one of a key: nothing but Base64, or the padded end of it, in whatever quotes. */
const LIKE_A_KEY = /^[\s"'#>|*;,+-]*(?:[A-Za-z0-9+/]{40,}|[A-Za-z0-9+/]{14,}=)=*[\s"',;\\nr]*$/;

export const mayBeOfKey = (line: string): boolean => LIKE_A_KEY.test(line);

/** Of a larger file nobody knows what such a line is. */
const FILE_BYTES_MAX = 8 * 1024 * 1024;

const UNSURE = markerOf("private-key");

/** What may be shown of a line, seen with what stands around it in its file. */
export type LineLook = (line: { readonly number: number; readonly text: string }) => string;

/**
 * How to look at lines of a file. A line of a private key is none by itself: the file has to be looked at, as it is now. Where
 * that can't be done, or the line is no longer there, it is not shown.
 */
export async function lineLook(files: Files, redactor: Pick<Redactor, "redactCut">, path: string): Promise<LineLook> {
  const read = await files.read(path as CheckedPath, { offset: 0, limit: FILE_BYTES_MAX + 1 });
  if (!read.ok || read.value.length > FILE_BYTES_MAX) return () => UNSURE;
  const content = read.value;
  return ({ number, text }) => {
    const place = linesIn(content, { startLine: number, endLine: number }, path);
    if (!place.ok) return UNSURE;
    const { start } = place.value;
    const end = start + Buffer.byteLength(text);
    const part = content.subarray(start, end);
    if (Buffer.from(part).toString() !== text) return UNSURE;
    const before = content.subarray(Math.max(0, start - REACH_BYTES), start);
    const shown = redactor.redactCut(part, { before, after: content.subarray(end, end + REACH_BYTES) });
    return shown === part ? text : Buffer.from(shown).toString();
  };
}
