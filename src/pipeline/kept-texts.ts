import { Buffer } from "node:buffer";
import { canonicalJson } from "../domain/canonical-json.ts";
import type { JsonValue } from "../domain/json.ts";
import type { Refusal } from "../domain/outcome.ts";
import type { Blobs } from "../ports/blobs.ts";
import type { Redactor } from "../redact/redactor.ts";

/** What was kept: its hash, or why it could not be. Null: it is nothing that has a text. */
export type KeptText = { readonly blob: string } | { readonly refusal: Refusal } | null;

/**
 * Arguments and results of every call as blobs, for whoever wants to read later what the ledger has by digest only. Without
 * secrets, and there before the entry that names them.
 */
export class KeptTexts {
  readonly #blobs: Blobs;
  readonly #redactor: Redactor;

  constructor(blobs: Blobs, redactor: Redactor) {
    this.#blobs = blobs;
    this.#redactor = redactor;
  }

  async input(project: string, input: JsonValue): Promise<KeptText> {
    const text = await this.#textOf(input);
    return text === null ? null : this.result(project, text);
  }

  /** `text`: redacted already. */
  async result(project: string, text: string): Promise<KeptText> {
    const stored = await this.#blobs.put(project, Buffer.from(text));
    if (stored.ok) return { blob: stored.value.hash };
    const { code, message } = stored.fault;
    const hint = "free some room, or set `ledger.keep` to `digests`";
    return { refusal: { code, stage: "journal", message: `the arguments can't be kept: ${message}`, hint } };
  }

  /** Unchecked input may have no canonical form: then it is refused anyway. */
  async #textOf(input: JsonValue): Promise<string | null> {
    try {
      return canonicalJson(await this.#redactor.redactInSlices(input));
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      return null;
    }
  }
}

/** What came of a call is what it is, whether or not it can be kept. */
export async function keptResult(
  texts: KeptTexts,
  project: string,
  text: (() => string) | null,
): Promise<string | null> {
  const kept = text === null ? null : await texts.result(project, text());
  return kept !== null && "blob" in kept ? kept.blob : null;
}
