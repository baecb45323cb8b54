import { Buffer } from "node:buffer";
import type { JsonValue } from "../domain/json.ts";

/** A text in which nothing is found comes back as it is. What has no UTF-8 form (lone surrogates) stays as it is, too. */
export function textRedactedBy(text: string, redact: (bytes: Uint8Array) => Uint8Array): string {
  if (!text.isWellFormed()) {
    const parts = text.split(/(\p{Surrogate}+)/u);
    return parts.map((part) => (part.isWellFormed() ? textRedactedBy(part, redact) : part)).join("");
  }
  const bytes = Buffer.from(text);
  const redacted = redact(bytes);
  return redacted === bytes ? text : Buffer.from(redacted.buffer, redacted.byteOffset, redacted.length).toString();
}

/** The same array where nothing changes. */
export function mapped<Item>(items: readonly Item[], change: (item: Item) => Item): readonly Item[] {
  let copy: Item[] | null = null;
  for (let at = 0; at < items.length; at++) {
    const before = items[at] as Item;
    const after = change(before);
    if (after !== before) copy ??= items.slice(0, at);
    copy?.push(after);
  }
  return copy ?? items;
}

/** Null: it may become another value when it is written down (a date, a boxed text, a `toJSON` of its own). */
export function plainObject(value: object): Readonly<Record<string, JsonValue>> | null {
  const prototype = Object.getPrototypeOf(value);
  const isPlain = (prototype === Object.prototype || prototype === null) && !("toJSON" in value);
  return isPlain ? (value as Record<string, JsonValue>) : null;
}
