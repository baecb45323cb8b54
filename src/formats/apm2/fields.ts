import type { InputError } from "../../domain/outcome.ts";
import { delimitedBytes, keyBytes, varintBytes, WIRE_TYPES, WireError, type WireReader } from "./wire.ts";

/** What a field may hold, by the type that it has here. */
interface Kinds {
  readonly string: string;
  readonly strings: readonly string[];
  readonly bytes: Uint8Array;
  readonly uint64: bigint;
  readonly uint32: number;
  readonly bool: boolean;
}

type KindOf<Value> = { [Kind in keyof Kinds]: Kinds[Kind] extends Value ? Kind : never }[keyof Kinds];

/** The tag and type of each field of a message. */
export type Fields<Message> = {
  readonly [Name in keyof Message]: readonly [tag: number, kind: KindOf<Message[Name]>];
};

/** A message's fields while it is read or written: `Fields` says that they are what the type says. */
type Loose = Record<string, Kinds[keyof Kinds]>;
type Table = Readonly<Record<string, readonly [tag: number, kind: keyof Kinds]>>;

const UINT32_MAX = 0xffff_ffffn;

/** As the standard has it for canonical bytes: in the order of the tags, and nothing that is empty. */
export function fieldBytes<Message>(message: Message, fields: Fields<Message>): readonly Uint8Array[] {
  const table = fields as unknown as Table;
  const values = message as unknown as Loose;
  return Object.entries(table)
    .toSorted(([, [a]], [, [b]]) => a - b)
    .flatMap(([name, [tag]]) => encoded(tag, values[name]));
}

function encoded(tag: number, value: Kinds[keyof Kinds] | undefined): readonly Uint8Array[] {
  if (typeof value === "string") return value === "" ? [] : delimitedBytes(tag, utf8(value));
  if (value instanceof Uint8Array) return value.length === 0 ? [] : delimitedBytes(tag, value);
  if (Array.isArray(value)) return value.flatMap((item: string) => delimitedBytes(tag, utf8(item)));
  const number = BigInt((value ?? 0) as bigint | number | boolean);
  return number === 0n ? [] : [keyBytes(tag, WIRE_TYPES.varint), varintBytes(number)];
}

const encoder = new TextEncoder();

/** What is no text has no bytes, and is not to become another text. */
function utf8(text: string): Uint8Array {
  if (!text.isWellFormed()) throw new RangeError("a text holds half a character");
  return encoder.encode(text);
}

/** A message with nothing in it. */
export function emptyMessage<Message>(fields: Fields<Message>): Message {
  const table = fields as unknown as Table;
  return Object.fromEntries(Object.entries(table).map(([name, [, kind]]) => [name, EMPTY[kind]()])) as Message;
}

const EMPTY: { readonly [Kind in keyof Kinds]: () => Kinds[Kind] } = {
  string: () => "",
  strings: () => [],
  bytes: () => new Uint8Array(),
  uint64: () => 0n,
  uint32: () => 0,
  bool: () => false,
};

/** Reads one field into `message`. False: the message has no such field, and it was passed over. */
export function readField<Message>(
  reader: WireReader,
  { tag, type }: { readonly tag: number; readonly type: number },
  message: Message,
  fields: Fields<Message>,
): boolean {
  const found = Object.entries(fields as unknown as Table).find(([, [known]]) => known === tag);
  if (found === undefined) {
    reader.skip(type);
    return false;
  }
  const [name, [, kind]] = found;
  const wanted = NUMBERS.has(kind) ? WIRE_TYPES.varint : WIRE_TYPES.delimited;
  if (type !== wanted) throw new WireError(`\`${name}\` has another type`);
  const values = message as unknown as Loose;
  // Its own list, of `emptyMessage`: a copy for each item would take the square of their number.
  if (kind === "strings") (values[name] as string[]).push(text(reader.bytes(), name));
  else values[name] = one(reader, kind, name);
  return true;
}

const NUMBERS: ReadonlySet<keyof Kinds> = new Set(["uint64", "uint32", "bool"]);

function one(reader: WireReader, kind: Exclude<keyof Kinds, "strings">, name: string): Kinds[keyof Kinds] {
  if (kind === "string") return text(reader.bytes(), name);
  if (kind === "bytes") return reader.bytes();
  const value = reader.varint();
  if (kind === "bool") return value !== 0n;
  if (kind === "uint64") return value;
  if (value > UINT32_MAX) throw new WireError(`\`${name}\` has more than 32 bits`);
  return Number(value);
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function text(bytes: Uint8Array, name: string): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw new WireError(`\`${name}\` is not UTF-8`);
  }
}

export const unknownField = (field: string, tag: number): InputError => ({
  field,
  rule: "format",
  message: `there is no field with the tag ${tag}, and what nobody has checked is not passed on`,
});
