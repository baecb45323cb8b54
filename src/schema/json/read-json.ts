import type { JsonValue } from "../../domain/json.ts";
import { LIMITS } from "../../domain/limits.ts";
import { type JsonLimits, JsonReader } from "./json-reader.ts";
import { JsonTextFault } from "./json-text-fault.ts";
import { positionAt, type TextPosition } from "./text-position.ts";

export interface JsonTextError extends TextPosition {
  /** Without the position: `the name \`a\` stands twice in one object`. */
  readonly message: string;
}

export type JsonReading =
  | { readonly ok: true; readonly value: JsonValue }
  | { readonly ok: false; readonly error: JsonTextError };

const DEFAULT_LIMITS: JsonLimits = {
  bytes: LIMITS.jsonBytes.default,
  depth: LIMITS.jsonDepth.default,
  values: LIMITS.jsonValues.default,
};

/** The one way in which a caller's JSON text becomes a value. In linear time, and no further than the limits go. */
export function readJson(text: string, limits: Partial<JsonLimits> = {}): JsonReading {
  const within = { ...DEFAULT_LIMITS, ...limits };
  if (isOver(within.bytes, text)) return tooLong(within.bytes);
  if (text.startsWith(BYTE_ORDER_MARK)) return failed(text, "a byte order mark, which JSON does not begin with", 0);
  if (!text.isWellFormed()) return failed(text, "half of a surrogate pair, which is no character", loneAt(text));
  try {
    return { ok: true, value: new JsonReader(text, within).read() };
  } catch (error) {
    if (error instanceof JsonTextFault) return failed(text, error.message, error.offset);
    throw error;
  }
}

/** The same for bytes, which have to be UTF-8: forced into text, something else would be judged than was sent. */
export function readJsonBytes(bytes: Uint8Array, limits: Partial<JsonLimits> = {}): JsonReading {
  const bytesMax = limits.bytes ?? DEFAULT_LIMITS.bytes;
  if (bytes.length > bytesMax) return tooLong(bytesMax);
  const text = textFromUtf8(bytes);
  if (text !== null) return readJson(text, limits);
  const before = textBeforeFault(bytes);
  return failed(before, "bytes that are not UTF-8", before.length);
}

const BYTE_ORDER_MARK = "\ufeff";
const BYTES_PER_UNIT_MAX = 3;

const isOver = (bytesMax: number, text: string): boolean =>
  text.length * BYTES_PER_UNIT_MAX > bytesMax && Buffer.byteLength(text) > bytesMax;

const failed = (text: string, message: string, offset: number): JsonReading => ({
  ok: false,
  error: { message, ...positionAt(text, offset) },
});

const tooLong = (bytesMax: number): JsonReading => failed("", `the text has more than ${bytesMax} bytes`, 0);

/** Of a text that has a lone surrogate: what `toWellFormed` replaces first. */
function loneAt(text: string): number {
  const mended = text.toWellFormed();
  let at = 0;
  while (text.charCodeAt(at) === mended.charCodeAt(at)) at++;
  return at;
}

const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function textFromUtf8(bytes: Uint8Array): string | null {
  try {
    return UTF8.decode(bytes);
  } catch {
    return null;
  }
}

/** Decoded leniently and encoded again, the first byte that differs belongs to the first bad sequence. */
function textBeforeFault(bytes: Uint8Array): string {
  const mended = new TextEncoder().encode(new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes));
  let at = 0;
  while (bytes[at] === mended[at]) at++;
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes.subarray(0, at), { stream: true });
}
