import { Buffer } from "node:buffer";
import { LIMITS } from "../domain/limits.ts";
import { truncateText } from "../redact/truncate.ts";

const BYTES_MAX = LIMITS.entryTextBytes.default;

/** The long texts of one change, and what stands for them in its entries. */
export class ShortTexts {
  readonly #long: "keep" | "cut";
  /** Null for a text that is to be kept first. Made for the first long text: hardly any change has one. */
  #shortOf: Map<string, string | null> | null = null;

  constructor(long: "keep" | "cut") {
    this.#long = long;
  }

  /** Whether some text is to be kept before the entry can be written. */
  get isWaiting(): boolean {
    return this.#shortOf?.values().some((short) => short === null) ?? false;
  }

  short(text: string): string {
    if (text.length * 3 <= BYTES_MAX || Buffer.byteLength(text) <= BYTES_MAX) return text;
    if (this.#long === "cut") return truncateText(text, BYTES_MAX).text;
    this.#shortOf ??= new Map();
    const short = this.#shortOf.get(text) ?? null;
    if (short === null) this.#shortOf.set(text, null);
    return short ?? "";
  }

  async keepAll(keep: (text: string) => Promise<string | null>): Promise<void> {
    for (const text of this.#shortOf?.keys() ?? []) {
      const blob = await keep(text);
      const how = blob === null ? "the whole could not be kept" : `the whole: toolgate blobs get ${blob}`;
      this.#shortOf?.set(text, truncateText(text, BYTES_MAX, how).text);
    }
  }
}
