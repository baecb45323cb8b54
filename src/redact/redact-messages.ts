import { Buffer } from "node:buffer";
import type { Finder } from "./found.ts";
import type { SeenTexts } from "./seen-texts.ts";
import { united, withMarkers } from "./span.ts";

const NOTHING = Buffer.alloc(0);
const LINE_END = Buffer.from("\n");
/** No form of a value is shorter. Less than this of one is let out, or nearly every message would have to wait. */
const HEAD_BYTES = 6;

/**
 * Redacts messages that come one after the other and are told at once. A known value is found over the border between
 * them, whether they belong together or are lines of their own, since the search does not count line breaks. A message
 * waits for the next only with an end that has six bytes of a value already. Shapes are looked for in each message.
 */
export class RedactMessages {
  readonly #known: Finder;
  readonly #redactText: (text: string, seen: SeenTexts | null) => string;
  /** The last bytes that were told, fewer than make a form: a value may have begun in them. */
  #told: Buffer = NOTHING;
  #held: Buffer = NOTHING;
  /** The first half of a character whose other half is still to come. */
  #half = "";

  constructor(known: Finder, redactText: (text: string, seen: SeenTexts | null) => string) {
    this.#known = known;
    this.#redactText = redactText;
  }

  /** What may be told now; null = all of it has to wait. `seen`: the message, if it was searched ahead. */
  push(given: string, seen: SeenTexts | null = null): string | null {
    if (this.#known.isIdle) return this.#redactText(given, seen);
    const message = this.#wholeCharacters(given);
    const separator = this.#held.length > 0 ? LINE_END : NOTHING;
    const all = Buffer.concat([this.#told, this.#held, separator, Buffer.from(message)]);
    const { spans, settled } = this.#known.find(all, "more-may-follow");
    const isOpen = all.length - settled >= HEAD_BYTES;
    const from = this.#told.length;
    const to = Math.max(from, isOpen ? settled : all.length);
    // What of a value was told before it could be known is told. The rest is not.
    const within = spans
      .filter(({ end }) => end > from)
      .map((span) => ({ ...span, start: Math.max(span.start, from) }));
    const redacted = withMarkers(all, united(within), { from, to });
    this.#held = Buffer.from(all.subarray(to));
    this.#told = Buffer.from(all.subarray(Math.max(0, to - HEAD_BYTES + 1), to));
    return to === from && message !== "" ? null : this.#redactText(Buffer.from(redacted).toString(), seen);
  }

  /** What was held back, and is no secret after all; null = nothing was. */
  end(): string | null {
    const held = this.#held.toString() + this.#half;
    this.#held = NOTHING;
    this.#half = "";
    return held === "" ? null : this.#redactText(held, null);
  }

  #wholeCharacters(given: string): string {
    const text = this.#half + given;
    this.#half = /[\ud800-\udbff]$/.exec(text)?.[0] ?? "";
    return this.#half === "" ? text : text.slice(0, -1);
  }
}
