import type { BlobHash } from "../../ports/blobs.ts";

export interface Hasher {
  readonly update: (bytes: Uint8Array) => void;
  readonly end: () => BlobHash;
}

/** One per content: a hasher that is shared mixes what is hashed at the same time. The package is loaded on first use. */
export async function newHasher(): Promise<Hasher> {
  const { createBLAKE3 } = await import("hash-wasm");
  const hasher = await createBLAKE3();
  return {
    update: (bytes) => void hasher.update(bytes),
    end: () => hasher.digest("hex") as BlobHash,
  };
}

export const isBlobHash = (text: string): text is BlobHash => /^[0-9a-f]{64}$/.test(text);
