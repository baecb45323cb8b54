import { Buffer, isUtf8 } from "node:buffer";
import type { RedactStream } from "./redact-stream.ts";
import { SLICE_BYTES, type TimeSlices } from "./time-slices.ts";

/** Less than this, of all texts together, is searched at once. */
const AT_ONCE = 2 * SLICE_BYTES;

export interface Search {
  readonly slices: TimeSlices;
  readonly text: (text: string) => string;
  readonly stream: () => RedactStream;
  /** For what is no text. */
  readonly bytesStream: () => RedactStream;
  /** INVARIANT (nothing less): what would be found in the text as a whole is found in slices of it. */
  readonly isInSlices: (text: string) => boolean;
}

/**
 * The texts of some values, also what is packed in Base64, where they are long: to search them all in one go would hold
 * up everybody else. Null: they are short.
 */
export function manyTexts(values: readonly unknown[]): ReadonlySet<string> | null {
  const texts = new Set<string>();
  let length = 0;
  const add = (text: string) => {
    length += text.length;
    texts.add(text);
    const packed = textInBase64(text);
    if (packed !== null) texts.add(packed);
  };
  for (const value of values) eachText(value, add);
  return length > AT_ONCE ? texts : null;
}

function eachText(value: unknown, told: (text: string) => void): void {
  if (typeof value === "string") told(value);
  else if (Array.isArray(value)) for (const item of value) eachText(item, told);
  else if (typeof value === "object" && value !== null)
    for (const name of Object.keys(value)) eachText((value as Readonly<Record<string, unknown>>)[name], told);
}

const BASE64_HEAD = /^[A-Za-z0-9+/_-]{64}/;

/** Null: what is packed is no text, or nothing is. */
function textInBase64(data: string): string | null {
  const bytes = packedIn(data);
  return bytes !== null && isUtf8(bytes) ? bytes.toString() : null;
}

/** Null: it is short, or no Base64 at all. */
const packedIn = (data: string): Buffer | null =>
  data.length > AT_ONCE && BASE64_HEAD.test(data) ? Buffer.from(data, "base64") : null;

/** What is left of each text, and of bytes that are none, by the Base64 that they are packed in. */
interface Searched {
  readonly left: Map<string, string>;
  readonly bytes: Map<string, Buffer | null>;
}

/** After each slice, other work has its turn. */
export async function searchedAhead(texts: ReadonlySet<string>, search: Search): Promise<Searched> {
  const left = new Map<string, string>();
  const bytes = new Map<string, Buffer | null>();
  let searched = 0;
  for (const text of texts) {
    left.set(
      text,
      text.length > SLICE_BYTES && search.isInSlices(text) ? await inSlices(text, search) : search.text(text),
    );
    const packed = packedIn(text);
    // It has other lines than the Base64 that it is packed in.
    if (packed !== null && !isUtf8(packed) && search.isInSlices(packed.toString("latin1")))
      bytes.set(text, await streamed(packed, search.bytesStream(), search.slices));
    searched += text.length;
    if (searched < SLICE_BYTES) continue;
    searched = 0;
    await search.slices.next();
  }
  return { left, bytes };
}

/** Lone halves of characters have no bytes, and stay as they are. */
async function inSlices(text: string, search: Search): Promise<string> {
  if (text.isWellFormed())
    return (await streamed(Buffer.from(text), search.stream(), search.slices))?.toString() ?? text;
  const parts = text.split(/(\p{Surrogate}+)/u);
  const { left } = await searchedAhead(new Set(parts.filter((part) => part.isWellFormed())), search);
  return parts.map((part) => left.get(part) ?? part).join("");
}

/** Null: nothing was found. */
async function streamed(bytes: Buffer, stream: RedactStream, slices: TimeSlices): Promise<Buffer | null> {
  const out: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += SLICE_BYTES) {
    await slices.next();
    out.push(...stream.push(bytes.subarray(at, at + SLICE_BYTES)));
  }
  out.push(stream.end());
  return stream.found.length === 0 ? null : Buffer.concat(out);
}
