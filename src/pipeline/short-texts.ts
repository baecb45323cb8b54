import { Buffer } from "node:buffer";
import { LIMITS } from "../domain/limits.ts";
import type { Redactor } from "../redact/redactor.ts";
import { truncateText } from "../redact/truncate.ts";

const BYTES_MAX = LIMITS.entryTextBytes.default;

/** The long texts of one change, and what stands for them in its entries. */
export class ShortTexts {
  readonly #long: "keep" | "cut";
  /** By the text as it was given. Null: it must be redacted and kept first. Made for the first long text: hardly any change has one. */
  #shortOf: Map<string, string | null> | null = null;

  constructor(long: "keep" | "cut") {
    this.#long = long;
  }

  /** Whether some text is to be kept before the entry can be written. */
  get isWaiting(): boolean {
    return this.#shortOf?.values().some((short) => short === null) ?? false;
  }

  short(text: string, redactor: Redactor): string {
    if (isShort(text)) return redactor.text(text);
    if (this.#long === "cut") return truncateText(redactor.text(text), BYTES_MAX).text;
    this.#shortOf ??= new Map();
    const short = this.#shortOf.get(text) ?? null;
    if (short === null) this.#shortOf.set(text, null);
    return short ?? "";
  }

  async keepAll(redactor: Redactor, keep: (text: string) => Promise<string | null>): Promise<void> {
    for (const given of this.#shortOf?.keys() ?? []) {
      const text = await redactor.redactInSlices(given);
      this.#shortOf?.set(given, isShort(text) ? text : truncateText(text, BYTES_MAX, howToGet(await keep(text))).text);
    }
  }
}

const isShort = (text: string): boolean => text.length * 3 <= BYTES_MAX || Buffer.byteLength(text) <= BYTES_MAX;

const howToGet = (blob: string | null): string =>
  blob === null ? "the whole could not be kept" : `the whole: toolgate blobs get ${blob}`;
