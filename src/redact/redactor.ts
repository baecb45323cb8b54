import { Buffer, isUtf8 } from "node:buffer";
import type { JsonValue } from "../domain/json.ts";
import type { Content } from "../domain/outcome.ts";
import { AmongBytes } from "./among-bytes.ts";
import { ruleOfMember } from "./assignment-rules.ts";
import { redactedCut } from "./cut-part.ts";
import { withoutKeyLines } from "./diff-lines.ts";
import { type Finder, type Neighbours, redactedUntilStable } from "./found.ts";
import type { KnownValues } from "./known-values.ts";
import { markerOf } from "./marker.ts";
import { RedactMessages } from "./redact-messages.ts";
import { RedactStream } from "./redact-stream.ts";
import { manyTexts, searchedAhead } from "./search-ahead.ts";
import { SeenTexts } from "./seen-texts.ts";
import { united, withMarkers } from "./span.ts";
import { redactedItems } from "./split-secrets.ts";
import { type RuleCount, Tally } from "./tally.ts";
import { SLICE_BYTES, TimeSlices } from "./time-slices.ts";
import { mapped, plainObject, textRedactedBy } from "./unchanged.ts";

export interface RedactorParts {
  readonly known: KnownValues;
  readonly shapes: Finder;
  /** Whether the name of a JSON member may make its value a secret. */
  readonly memberNames: "tell" | "ignored";
  /** The same without our own guesses. Left out: this one makes none. */
  readonly certain?: Redactor;
}

/**
 * Takes secrets out of whatever leaves the gate. Redact first, truncate afterwards: a secret that is cut by a limit is
 * no longer recognised, and its head gets out. Doing it twice gives the same as doing it once.
 * What holds no secret comes back as the same object: most texts don't, and cost no copy.
 */
export class Redactor {
  readonly #parts: RedactorParts;
  readonly #amongBytes: AmongBytes;
  readonly #slices: TimeSlices;

  /** `buildRedactor` makes one. */
  constructor(parts: RedactorParts) {
    this.#parts = parts;
    this.#amongBytes = new AmongBytes(parts.shapes);
    this.#slices = parts.certain?.slices ?? new TimeSlices();
  }

  /**
   * Only what the operator names: secrets and patterns. For the eyes of an approver, who has to see all that will run:
   * the name of a known secret says which value it is, while what merely looks like one may be anything.
   */
  get certain(): Redactor {
    return this.#parts.certain ?? this;
  }

  /** Shared with `certain`. */
  get slices(): TimeSlices {
    return this.#slices;
  }

  redactText(text: string): { readonly text: string; readonly found: readonly RuleCount[] } {
    const tally = new Tally();
    return { text: this.#text(text, tally), found: tally.found };
  }

  redactBytes(bytes: Uint8Array): { readonly bytes: Uint8Array; readonly found: readonly RuleCount[] } {
    const tally = new Tally();
    return { bytes: this.#bytes(bytes, tally), found: tally.found };
  }

  /** Of bytes that were cut out of longer ones: what the cuts go through. The rest is for whoever redacts the part. */
  redactCut(part: Uint8Array, neighbours: Neighbours): Uint8Array {
    return redactedCut(part, neighbours, [this.#parts.known, this.#parts.shapes]);
  }

  /** `seen`: as for `redactContent`. */
  redactJson<Value>(
    value: Value,
    seen: SeenTexts | null = null,
  ): { readonly value: Value; readonly found: readonly RuleCount[] } {
    const tally = new Tally(seen);
    // INVARIANT (structure): members, items and types stay, so the value has the type that it had.
    return { value: this.#json(value as JsonValue, tally) as Value, found: tally.found };
  }

  /** The same for a value that may be long: its texts are searched in slices. Nothing is counted. */
  async redactInSlices<Value>(value: Value): Promise<Value> {
    return this.redactJson(value, await this.ahead([value])).value;
  }

  /** `seen`: what `ahead` has given for them. */
  redactContent(
    content: readonly Content[],
    seen: SeenTexts | null = null,
  ): { readonly content: readonly Content[]; readonly found: readonly RuleCount[] } {
    const tally = new Tally(seen);
    return { content: this.#content(content, tally), found: tally.found };
  }

  /** What a tool says, as content and as a value: the same long text in both costs once. Nothing is counted. */
  redactResult<Value>(content: readonly Content[], structured: Value, seen: SeenTexts | null = null) {
    const tally = new Tally(seen ?? new SeenTexts());
    return {
      content: this.#content(content, tally),
      structured: this.#json(structured as JsonValue, tally) as Value,
    };
  }

  /**
   * Searches the texts of what is to be redacted while others have their turns. It has to be redacted all the same, and
   * then costs little: whatever has become of it meanwhile, what was not searched is. Null: it is short.
   */
  ahead(values: readonly unknown[]): Promise<SeenTexts> | null {
    if (this.#parts.known.isIdle && this.#parts.shapes.isIdle) return null;
    const texts = manyTexts(values);
    if (texts === null) return null;
    const search = {
      slices: this.#slices,
      text: (text: string) => this.text(text),
      stream: () => this.redactStream(),
      bytesStream: () => new RedactStream(this.#parts.known, this.#amongBytes),
      isInSlices: (text: string) => !this.#parts.shapes.isCutOtherwise(text),
    };
    return searchedAhead(texts, search).then(({ left, bytes }) => new SeenTexts(left, bytes));
  }

  /** The text alone, where nobody counts. */
  text(text: string): string {
    const { known, shapes } = this.#parts;
    return known.mayFind(text) || shapes.mayFind(text) ? this.#text(text, new Tally()) : text;
  }

  /** A message of ours, in which a text of somebody's may be cut short already: what is left of a value goes as well. */
  message(text: string): string {
    return this.withoutCutValues(this.text(text));
  }

  /** The second half of `message`, for a text that is redacted already. */
  withoutCutValues(text: string): string {
    if (this.#parts.known.isIdle || !text.includes("\u2026")) return text;
    return textRedactedBy(text, (bytes) => {
      const spans = united(this.#parts.known.findCut(bytes));
      return spans.length === 0 ? bytes : withMarkers(bytes, spans, { from: 0, to: bytes.length });
    });
  }

  redactStream(): RedactStream {
    return new RedactStream(this.#parts.known, this.#parts.shapes);
  }

  /** A long chunk in parts, with a turn for others before each of them. */
  async *inSlices(chunk: Uint8Array): AsyncGenerator<Uint8Array, void, void> {
    for (let at = 0; at < chunk.length; at += SLICE_BYTES) {
      if (chunk.length > SLICE_BYTES) await this.#slices.next();
      yield chunk.subarray(at, at + SLICE_BYTES);
    }
  }

  /** A stream without its secrets. */
  async *redactChunks(
    chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  ): AsyncGenerator<Uint8Array, void, void> {
    const stream = this.redactStream();
    for await (const chunk of chunks) for await (const part of this.inSlices(chunk)) yield* stream.push(part);
    const rest = stream.end();
    if (rest.length > 0) yield rest;
  }

  redactMessages(): RedactMessages {
    return new RedactMessages(this.#parts.known, (text, seen) => this.#text(text, new Tally(seen)));
  }

  #bytes(bytes: Uint8Array, tally: Tally): Uint8Array {
    const { known, shapes } = this.#parts;
    return redactedUntilStable(redactedUntilStable(bytes, known, tally), shapes, tally);
  }

  #text(text: string, tally: Tally): string {
    const seen = tally.seen?.get(text);
    if (seen !== undefined) return seen;
    const redacted = this.#looked(text, tally);
    tally.seen?.add(text, redacted);
    return redacted;
  }

  #looked(text: string, tally: Tally): string {
    const { known, shapes } = this.#parts;
    if (known.mayFind(text)) return textRedactedBy(text, (bytes) => this.#bytes(bytes, tally));
    return shapes.mayFind(text) ? textRedactedBy(text, (bytes) => redactedUntilStable(bytes, shapes, tally)) : text;
  }

  /** For names and paths: a shape proves too little to change what something is called. */
  #name(name: string, tally: Tally): string {
    const { known } = this.#parts;
    return known.mayFind(name) ? textRedactedBy(name, (bytes) => redactedUntilStable(bytes, known, tally)) : name;
  }

  #json(value: JsonValue, tally: Tally): JsonValue {
    if (typeof value === "string") return this.#text(value, tally);
    if (typeof value !== "object" || value === null) return value;
    if (Array.isArray(value)) return mapped<JsonValue>(value, (item) => this.#json(item, tally));
    const members = plainObject(value);
    // What becomes another value when it is written down is looked at as what it becomes.
    return members === null ? this.#json(JSON.parse(JSON.stringify(value)), tally) : this.#object(members, tally);
  }

  #object(object: Readonly<Record<string, JsonValue>>, tally: Tally): JsonValue {
    let copy: [string, JsonValue][] | null = null;
    const names = Object.keys(object);
    for (const [index, name] of names.entries()) {
      const before = object[name] as JsonValue;
      const [newName, after] = [this.#name(name, tally), this.#member(name, before, tally)];
      if (newName !== name || after !== before) copy ??= Object.entries(object).slice(0, index);
      copy?.push([newName, after]);
    }
    return copy === null ? object : Object.fromEntries(copy);
  }

  #member(name: string, member: JsonValue, tally: Tally): JsonValue {
    const redacted = this.#json(member, tally);
    if (typeof redacted !== "string" || redacted !== member || this.#parts.memberNames === "ignored") return redacted;
    const rule = ruleOfMember(name, redacted);
    if (rule === null) return redacted;
    tally.add([{ start: 0, end: redacted.length, rule }]);
    return markerOf(rule);
  }

  #content(content: readonly Content[], tally: Tally): readonly Content[] {
    const { known, shapes } = this.#parts;
    const search = { finders: [known, shapes], reachBytes: known.matchBytesMax, tally };
    return redactedItems(content, search, (items) => mapped(items, (item) => this.#item(item, tally)));
  }

  /** All members, also those that are not ours: tools add their own. */
  #item(item: Content, tally: Tally): Content {
    const members = typeof item === "object" && item !== null ? plainObject(item) : null;
    if (members === null) return this.#json(item as unknown as JsonValue, tally) as unknown as Content;
    let copy: Record<string, JsonValue> | null = null;
    for (const name of Object.keys(members)) {
      const before = members[name] as JsonValue;
      const own = item.type === "diff" && name === "diff" ? this.#diff(before, members) : before;
      const after = this.#itemMember(item.type, name, own, tally);
      if (after === before) continue;
      copy ??= { ...members };
      copy[name] = after;
    }
    return copy === null ? item : (copy as unknown as Content);
  }

  /** What the operator has not named is a guess, and for an approver none is made. */
  #diff(diff: JsonValue, members: Readonly<Record<string, JsonValue>>): JsonValue {
    const isGuessed = this.#parts.memberNames === "tell";
    return isGuessed && typeof diff === "string"
      ? withoutKeyLines(diff, [members["oldText"], members["newText"]])
      : diff;
  }

  #itemMember(type: string, name: string, member: JsonValue, tally: Tally): JsonValue {
    if (typeof member !== "string") return this.#json(member, tally);
    if (type === "image" && name === "data") return this.#base64(member, tally, "picture");
    if (type === "resource" && name === "blob") return this.#base64(member, tally, "anything");
    return type === "diff" && name === "path" ? this.#name(member, tally) : this.#member(name, member, tally);
  }

  /**
   * What is packed in Base64 is searched as what it is. Pictures only for known values: a picture that holds one is broken
   * afterwards, and that is better than shown. Of other bytes nobody knows what they are: a letter that is no UTF-8 makes no
   * picture of a text.
   */
  #base64(data: string, tally: Tally, what: "picture" | "anything"): string {
    const bytes = Buffer.from(data, "base64");
    const redacted = isUtf8(bytes) ? this.#packedText(bytes, tally) : this.#packedBytes(bytes, data, tally, what);
    if (redacted !== null) return redacted.toString("base64");
    // Unchanged, and perhaps no Base64 at all: then it is a text like any other.
    const text = this.#text(data, tally);
    const wasBase64 = text !== data && bytes.toString("base64") === data;
    return wasBase64 ? Buffer.from(text).toString("base64") : text;
  }

  /** Null: nothing was found. */
  #packedText(bytes: Buffer, tally: Tally): Buffer | null {
    const text = bytes.toString();
    const left = this.#text(text, tally);
    return left === text ? null : Buffer.from(left);
  }

  #packedBytes(bytes: Buffer, data: string, tally: Tally, what: "picture" | "anything"): Buffer | null {
    const seen = what === "anything" ? tally.seen?.bytesOf(data) : undefined;
    if (seen !== undefined) return seen;
    const unknown = redactedUntilStable(bytes, this.#parts.known, tally);
    const left = what === "anything" ? redactedUntilStable(unknown, this.#amongBytes, tally) : unknown;
    return left === bytes ? null : Buffer.from(left);
  }
}
