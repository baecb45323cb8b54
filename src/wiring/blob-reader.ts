import type { BlobResult, Blobs, OpenBlob } from "../ports/blobs.ts";
import type { Redactor } from "../redact/redactor.ts";
import type { CollectedBlobs } from "./blob-collector.ts";

export type { BlobResult, OpenBlob };

type Collect = (mode: "remove" | "look") => Promise<CollectedBlobs>;

/** The blobs of the gate's project, as people ask for them. */
export class BlobReader {
  readonly #blobs: Blobs;
  readonly #project: string;
  readonly #redactor: Redactor;
  readonly #collect: Collect;

  constructor(blobs: Blobs, project: string, redactor: Redactor, collect: Collect) {
    this.#collect = collect;
    this.#blobs = blobs;
    this.#project = project;
    this.#redactor = redactor;
  }

  /** Without secrets that were named only after it was stored. */
  async get(hash: string): Promise<BlobResult<OpenBlob>> {
    const found = await this.#blobs.get(this.#project, hash);
    if (!found.ok) return found;
    const { chunks } = found.value;
    return { ok: true, value: { ...found.value, chunks: () => redacted(chunks(), this.#redactor.certain) } };
  }

  /** Removes what nothing names any more, of all projects of this state directory; `look` only counts it. */
  collect(mode: "remove" | "look" = "remove"): Promise<CollectedBlobs> {
    return this.#collect(mode);
  }
}

async function* redacted(chunks: AsyncIterable<Uint8Array>, redactor: Redactor): AsyncGenerator<Uint8Array> {
  const stream = redactor.redactStream();
  for await (const chunk of chunks) yield* stream.push(chunk);
  const rest = stream.end();
  if (rest.length > 0) yield rest;
}
