import { Buffer } from "node:buffer";
import { isJsonObject, type JsonValue } from "../domain/json.ts";
import type { Redactor } from "../redact/redactor.ts";

/** What is longer is content, and not something that tells one call from another. */
const SHOWN_BYTES_MAX = 256;

/**
 * Arguments for lists and records: without secrets, and with `[CONTENT n bytes]` where there is a lot of text, which need not be
 * searched for any: whoever looks at a record again and again would hold up everybody by it.
 */
export const shownParams = (input: JsonValue, redactor: Redactor): JsonValue =>
  redactor.redactJson(masked(input)).value;

function masked(value: JsonValue): JsonValue {
  if (typeof value === "string") {
    const bytes = Buffer.byteLength(value);
    return bytes > SHOWN_BYTES_MAX ? `[CONTENT ${bytes} bytes]` : value;
  }
  if (Array.isArray(value)) return value.map(masked);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, masked(member)]));
}
