import { Buffer } from "node:buffer";
import type { Finder } from "./found.ts";
import { RedactStage } from "./redact-stage.ts";
import { Tally } from "./tally.ts";

const LF = 10;

/**
 * Redacts messages that come one after the other and are told at once. A known value is found over the border between
 * them, whether they belong together or are lines of their own, since the search does not count line breaks: while one
 * may be going on, the end of a message waits for the next. Shapes are looked for in each message.
 */
export class RedactMessages {
  readonly #known: RedactStage | null;
  readonly #redactText: (text: string) => string;

  constructor(known: Finder, redactText: (text: string) => string) {
    this.#known = known.isIdle
      ? null
      : new RedactStage({ finder: known, tally: new Tally(), contextBytes: 0, isReady: () => true });
    this.#redactText = redactText;
  }

  /** What may be told now; null = all of it has to wait. */
  push(message: string): string | null {
    if (this.#known === null) return this.#redactText(message);
    return this.#told(this.#known.push(Buffer.from(`${message}\n`)));
  }

  /** What was held back; null = nothing. */
  end(): string | null {
    return this.#known === null ? null : this.#told(this.#known.end());
  }

  #told(bytes: Uint8Array): string | null {
    if (bytes.length === 0) return null;
    const end = bytes.at(-1) === LF ? bytes.length - 1 : bytes.length;
    return this.#redactText(Buffer.from(bytes.buffer, bytes.byteOffset, end).toString());
  }
}
