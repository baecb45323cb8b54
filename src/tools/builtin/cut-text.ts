import { Buffer } from "node:buffer";
import type { Redactor } from "../../redact/redactor.ts";
import { textFrom } from "./text-from.ts";

/** A character has no more bytes behind its first one. */
const MORE_MAX = 3;

/**
 * A part of a text that begins or ends within a character is no text any more, and goes out as bytes. INVARIANT (redact
 * first): what is between its ends is looked at as the text that it is.
 */
export function redactedCutText(bytes: Uint8Array, redactor: Pick<Redactor, "text">): Uint8Array {
  if (textFrom(bytes) !== null) return bytes;
  for (let start = 0; start <= Math.min(MORE_MAX, bytes.length); start++) {
    for (let end = bytes.length; end >= Math.max(start, bytes.length - MORE_MAX); end--) {
      const text = textFrom(bytes.subarray(start, end));
      if (text === null) continue;
      const clean = redactor.text(text);
      return clean === text
        ? bytes
        : Buffer.concat([bytes.subarray(0, start), Buffer.from(clean), bytes.subarray(end)]);
    }
  }
  return bytes;
}
