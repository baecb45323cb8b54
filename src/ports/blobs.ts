import type { Code } from "../domain/codes.ts";

/** BLAKE3, 32 bytes in lower-case hexadecimal. */
export type BlobHash = string & { readonly blobHash: unique symbol };

export interface StoredBlob {
  readonly hash: BlobHash;
  readonly bytes: number;
}

export interface OpenBlob extends StoredBlob {
  /** Verified before the first byte is handed out. Throws a `BlobError` if the content changes while it is read. */
  readonly chunks: () => AsyncIterable<Uint8Array>;
}

export type BlobCode = Extract<
  Code,
  "BLOB_NOT_FOUND" | "BLOB_DAMAGED" | "BLOB_TOO_LARGE" | "HASH_INVALID" | "STORAGE_FULL" | "IO_ERROR"
>;

export interface BlobFault {
  readonly code: BlobCode;
  readonly message: string;
  readonly hint?: string;
}

export type BlobResult<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly fault: BlobFault };

/** What a reader of `chunks` gets when the content goes bad under its hands. Recognised by its code. */
export class BlobError extends Error {
  readonly code: BlobCode;

  constructor({ code, message }: BlobFault) {
    super(message);
    this.code = code;
  }
}

/**
 * Content by its hash: full outputs, and what is too long for a ledger entry. A project sees its own only.
 * INVARIANT (content): what is handed out under a hash has that hash; damaged content is a fault and is never served.
 */
export interface Blobs {
  /** Durable when it returns. `expected`: what the content has to hash to. */
  readonly put: (
    project: string,
    content: Uint8Array | AsyncIterable<Uint8Array>,
    expected?: BlobHash,
  ) => Promise<BlobResult<StoredBlob>>;
  /** `hash` may come from anybody. */
  readonly get: (project: string, hash: string) => Promise<BlobResult<OpenBlob>>;
}
