import type { BlobResult, Blobs, OpenBlob } from "../ports/blobs.ts";
import type { Redactor } from "../redact/redactor.ts";
import type { CollectedBlobs } from "./blob-collector.ts";
import type { Published, PublishOptions } from "./publish-blob.ts";

export type { BlobResult, OpenBlob };

export interface BlobReaderParts {
  readonly blobs: Blobs;
  readonly project: string;
  readonly redactor: Redactor;
  readonly collect: (mode: "remove" | "look") => Promise<CollectedBlobs>;
  readonly publish: (content: AsyncIterable<Uint8Array>, options: PublishOptions) => Promise<Published>;
}

/** The blobs of the gate's project, as people ask for them. */
export class BlobReader {
  readonly #parts: BlobReaderParts;

  constructor(parts: BlobReaderParts) {
    this.#parts = parts;
  }

  /** Keeps content, and tells the ledger. */
  put(content: AsyncIterable<Uint8Array>, options: PublishOptions): Promise<Published> {
    return this.#parts.publish(content, options);
  }

  /** Without secrets that were named only after it was stored. */
  async get(hash: string): Promise<BlobResult<OpenBlob>> {
    const { blobs, project, redactor } = this.#parts;
    const found = await blobs.get(project, hash);
    if (!found.ok) return found;
    const { chunks } = found.value;
    return { ok: true, value: { ...found.value, chunks: () => redactor.certain.redactChunks(chunks()) } };
  }

  /** Removes what nothing names any more, of all projects of this state directory; `look` only counts it. */
  collect(mode: "remove" | "look" = "remove"): Promise<CollectedBlobs> {
    return this.#parts.collect(mode);
  }
}
