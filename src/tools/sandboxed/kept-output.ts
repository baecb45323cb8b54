import { Buffer } from "node:buffer";
import { createHash, type Hash } from "node:crypto";
import type { JsonObject } from "../../domain/json.ts";
import type { Content } from "../../domain/outcome.ts";
import type { RedactStream } from "../../redact/redact-stream.ts";
import { textOrBase64 } from "../../redact/text-or-base64.ts";

/** How much of what is kept is the end, where programs say what went wrong. */
const TAIL_PART = 0.25;

/**
 * One of a program's outputs: the beginning and the end of it without secrets, and the hash and size of all of it as it
 * came. Memory does not grow with it. Redacted before it is cut: half a secret is not recognised any more.
 */
export class KeptOutput {
  readonly #redact: RedactStream;
  readonly #headMax: number;
  readonly #tailMax: number;
  readonly #hash: Hash = createHash("sha256");
  readonly #head: Uint8Array[] = [];
  #headBytes = 0;
  #tail: Uint8Array[] = [];
  #tailBytes = 0;
  #left = 0;
  #bytes = 0;

  /** `tailPart`: how much of it is the end; 0 = only the beginning is kept. */
  constructor(redact: RedactStream, keptMax: number, tailPart = TAIL_PART) {
    this.#redact = redact;
    this.#tailMax = Math.floor(keptMax * tailPart);
    this.#headMax = keptMax - this.#tailMax;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** What may be shown of it now. */
  push(chunk: Uint8Array): readonly Uint8Array[] {
    this.#hash.update(chunk);
    this.#bytes += chunk.length;
    const clean = this.#redact.push(chunk);
    for (const part of clean) this.#keep(part);
    return clean;
  }

  /** Nothing more comes. What may be shown of its end. */
  end(): Uint8Array {
    const rest = this.#redact.end();
    this.#keep(rest);
    return rest;
  }

  /** Whether more came than is kept. */
  get isOver(): boolean {
    return this.#left + this.#headBytes + this.#tailBytes > this.#headMax + this.#tailMax;
  }

  #keep(part: Uint8Array): void {
    const room = this.#headMax - this.#headBytes;
    if (room > 0) {
      this.#head.push(Buffer.from(part.subarray(0, room)));
      this.#headBytes += Math.min(room, part.length);
    }
    if (part.length <= room) return;
    const rest = part.subarray(Math.max(room, 0));
    // No more than can stay: of a flood, copies of all of it would be most of the memory that it takes.
    const staying = rest.subarray(Math.max(0, rest.length - this.#tailMax));
    if (staying.length < rest.length) this.#leaveOut(rest.length - staying.length);
    // Copied: what comes in is a part of a larger buffer that must not be held.
    this.#tail.push(Buffer.from(staying));
    this.#tailBytes += staying.length;
    if (this.#tailBytes > 2 * this.#tailMax + CHUNK) this.#shorten();
  }

  /** So much of what follows, and with it all that stands before. */
  #leaveOut(bytes: number): void {
    this.#left += this.#tailBytes + bytes;
    this.#tail = [];
    this.#tailBytes = 0;
  }

  #shorten(): void {
    const all = Buffer.concat(this.#tail);
    const over = Math.max(0, all.length - this.#tailMax);
    this.#left += over;
    this.#tail = [Buffer.from(all.subarray(over))];
    this.#tailBytes = all.length - over;
  }

  isCut(): boolean {
    this.#shorten();
    return this.#left > 0;
  }

  /** Text where it is text, else Base64: nothing is lost on the way. `whole`: the blob that has all of it. */
  content(name: "stdout" | "stderr", whole: string | null = null): readonly Content[] {
    if (this.#bytes === 0) return [];
    this.#shorten();
    const [head, tail] = [Buffer.concat(this.#head), Buffer.concat(this.#tail)];
    // Of a text that was cut, no code point is shown in halves.
    const parts = this.#left > 0 ? [trimmedEnd(head), trimmedStart(tail)] : [head, tail];
    const shown = textOrBase64(Buffer.concat(parts));
    if (shown.encoding === "base64")
      return [{ type: "resource", uri: `output:${name}`, mediaType: "application/octet-stream", blob: shown.data }];
    const how = whole === null ? "" : `; the whole: toolgate blobs get ${whole}`;
    const text = this.#left > 0 ? parts.join(`\n[left out: ${this.#left} bytes${how}]\n`) : shown.text;
    return [{ type: "text", text: name === "stderr" ? `[stderr]\n${text}` : text }];
  }

  /** The beginning, as far as it is kept; null = it is no text. */
  start(): string | null {
    const head = Buffer.concat(this.isCut() ? this.#head : [...this.#head, ...this.#tail]);
    const shown = textOrBase64(this.#left > 0 ? trimmedEnd(head) : head);
    return shown.encoding === "base64" ? null : shown.text;
  }

  /** The end, as far as it is kept, whatever it is. */
  endText(): string {
    return Buffer.concat(this.#tail).toString();
  }

  facts(): JsonObject {
    return { bytes: this.#bytes, cut: this.isCut(), sha256: this.#hash.copy().digest("hex") };
  }
}

const CHUNK = 64 * 1024;

/** Without the half of a code point that a cut left. */
const trimmedEnd = (bytes: Buffer): Buffer => {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back] as number;
    if (byte >= 0xc0) return bytes.subarray(0, needed(byte) > back ? bytes.length - back : bytes.length);
    if (byte < 0x80) break;
  }
  return bytes;
};

const needed = (first: number): number => (first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2);

const trimmedStart = (bytes: Buffer): Buffer => {
  let start = 0;
  while (start < 3 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start++;
  return bytes.subarray(start);
};
