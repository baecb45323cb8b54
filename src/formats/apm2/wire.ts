/** A message that is none: cut off, of another type, or with what nobody has checked in it. */
export class WireError extends Error {}

export const WIRE_TYPES = { varint: 0, fixed64: 1, delimited: 2, fixed32: 5 } as const;

const UINT64_MAX = (1n << 64n) - 1n;
const VARINT_BYTES_MAX = 10;

/** Reads the encoding of Protocol Buffers, which has no end marks: each length is held against what is there. */
export class WireReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length;
  }

  key(): { readonly tag: number; readonly type: number } {
    const key = this.varint();
    const tag = Number(key >> 3n);
    if (tag < 1 || tag > 0x1fff_ffff) throw new WireError("a field has no tag that there could be");
    return { tag, type: Number(key & 7n) };
  }

  varint(): bigint {
    let value = 0n;
    for (let count = 0; count < VARINT_BYTES_MAX; count += 1) {
      const byte = this.#bytes[this.#at];
      if (byte === undefined) throw new WireError("the message breaks off");
      this.#at += 1;
      value |= BigInt(byte & 0x7f) << BigInt(7 * count);
      if (byte < 0x80) return within64Bits(value);
    }
    throw new WireError("a number has more than 64 bits");
  }

  bytes(): Uint8Array {
    return this.#take(this.varint());
  }

  /** What nobody knows can still be passed over, so that all of it is told at once. */
  skip(type: number): void {
    if (type === WIRE_TYPES.varint) this.varint();
    else if (type === WIRE_TYPES.delimited) this.bytes();
    else if (type === WIRE_TYPES.fixed64) this.#take(8n);
    else if (type === WIRE_TYPES.fixed32) this.#take(4n);
    else throw new WireError("a field has a type that there is not");
  }

  #take(length: bigint): Uint8Array {
    if (length > BigInt(this.#bytes.length - this.#at)) throw new WireError("the message breaks off");
    const from = this.#at;
    this.#at += Number(length);
    return this.#bytes.subarray(from, this.#at);
  }
}

function within64Bits(value: bigint): bigint {
  if (value > UINT64_MAX) throw new WireError("a number has more than 64 bits");
  return value;
}

export function varintBytes(value: bigint): Uint8Array {
  if (value < 0n || value > UINT64_MAX) throw new RangeError(`${value} is no unsigned number of 64 bits`);
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 0x7fn; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80);
  bytes.push(Number(rest));
  return Uint8Array.from(bytes);
}

export const keyBytes = (tag: number, type: number): Uint8Array => varintBytes((BigInt(tag) << 3n) | BigInt(type));

export const delimitedBytes = (tag: number, bytes: Uint8Array): readonly Uint8Array[] => [
  keyBytes(tag, WIRE_TYPES.delimited),
  varintBytes(BigInt(bytes.length)),
  bytes,
];

export function joined(parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
