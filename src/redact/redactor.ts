import { Buffer, isUtf8 } from "node:buffer";
import { isJsonObject, type JsonValue } from "../domain/json.ts";
import type { Content } from "../domain/outcome.ts";
import { ruleOfMember } from "./assignment-rules.ts";
import { type Finder, redactedUntilStable } from "./found.ts";
import { markerOf } from "./marker.ts";
import { RedactStream } from "./redact-stream.ts";
import { type RuleCount, Tally } from "./tally.ts";

export interface RedactorParts {
  readonly known: Finder;
  readonly shapes: Finder;
  /** Whether the name of a JSON member may make its value a secret. */
  readonly memberNames: "tell" | "ignored";
}

/**
 * Takes secrets out of whatever leaves the gate. Redact first, truncate afterwards: a secret that is cut by a limit is
 * no longer recognised, and its head gets out. Doing it twice gives the same as doing it once.
 */
export class Redactor {
  readonly #parts: RedactorParts;

  /** `buildRedactor` makes one. */
  constructor(parts: RedactorParts) {
    this.#parts = parts;
  }

  redactText(text: string): { readonly text: string; readonly found: readonly RuleCount[] } {
    const tally = new Tally();
    return { text: this.#text(text, tally), found: tally.found };
  }

  redactBytes(bytes: Uint8Array): { readonly bytes: Uint8Array; readonly found: readonly RuleCount[] } {
    const tally = new Tally();
    return { bytes: this.#bytes(bytes, tally), found: tally.found };
  }

  redactJson<Value extends JsonValue>(value: Value): { readonly value: Value; readonly found: readonly RuleCount[] } {
    const tally = new Tally();
    // INVARIANT (structure): members, items and types stay, so the value has the type that it had.
    return { value: this.#json(value, tally) as Value, found: tally.found };
  }

  redactContent(content: readonly Content[]): {
    readonly content: readonly Content[];
    readonly found: readonly RuleCount[];
  } {
    const tally = new Tally();
    return { content: content.map((item) => this.#item(item, tally)), found: tally.found };
  }

  redactStream(): RedactStream {
    return new RedactStream(this.#parts.known, this.#parts.shapes);
  }

  #bytes(bytes: Uint8Array, tally: Tally): Uint8Array {
    const { known, shapes } = this.#parts;
    return redactedUntilStable(redactedUntilStable(bytes, known, tally), shapes, tally);
  }

  #text(text: string, tally: Tally): string {
    return textRedactedBy(text, (bytes) => this.#bytes(bytes, tally));
  }

  /** For names and paths: a shape proves too little to change what something is called. */
  #name(name: string, tally: Tally): string {
    return textRedactedBy(name, (bytes) => redactedUntilStable(bytes, this.#parts.known, tally));
  }

  #json(value: JsonValue, tally: Tally): JsonValue {
    if (typeof value === "string") return this.#text(value, tally);
    if (Array.isArray(value)) return value.map((item: JsonValue) => this.#json(item, tally));
    if (!isJsonObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [this.#name(name, tally), this.#member(name, member, tally)]),
    );
  }

  #member(name: string, member: JsonValue, tally: Tally): JsonValue {
    const redacted = this.#json(member, tally);
    if (typeof redacted !== "string" || redacted !== member || this.#parts.memberNames === "ignored") return redacted;
    const rule = ruleOfMember(name, redacted);
    if (rule === null) return redacted;
    tally.add([{ start: 0, end: redacted.length, rule }]);
    return markerOf(rule);
  }

  #item(item: Content, tally: Tally): Content {
    switch (item.type) {
      case "text":
        return { ...item, text: this.#text(item.text, tally) };
      case "image":
        return { ...item, data: this.#base64(item.data, tally) };
      case "diff":
        return {
          ...item,
          path: this.#name(item.path, tally),
          diff: this.#text(item.diff, tally),
          newText: this.#text(item.newText, tally),
          ...(item.oldText === undefined ? {} : { oldText: this.#text(item.oldText, tally) }),
        };
      case "resource":
        return {
          ...item,
          uri: this.#text(item.uri, tally),
          ...(item.text === undefined ? {} : { text: this.#text(item.text, tally) }),
          ...(item.blob === undefined ? {} : { blob: this.#base64(item.blob, tally) }),
        };
      default:
        return item satisfies never;
    }
  }

  /**
   * What is packed in Base64 is searched as what it is. Pictures and programs only for known values: in random bytes
   * a shape is chance. A picture that holds one is broken afterwards, and that is better than shown.
   */
  #base64(data: string, tally: Tally): string {
    const bytes = Buffer.from(data, "base64");
    const redacted = isUtf8(bytes) ? this.#bytes(bytes, tally) : redactedUntilStable(bytes, this.#parts.known, tally);
    // Unchanged, and perhaps no Base64 at all: then it is a text like any other.
    return redacted === bytes ? this.#text(data, tally) : Buffer.from(redacted).toString("base64");
  }
}

/** A text in which nothing is found comes back as it is, also where it has no UTF-8 form (lone surrogates). */
function textRedactedBy(text: string, redact: (bytes: Uint8Array) => Uint8Array): string {
  const bytes = Buffer.from(text);
  const redacted = redact(bytes);
  return redacted === bytes ? text : Buffer.from(redacted.buffer, redacted.byteOffset, redacted.length).toString();
}
