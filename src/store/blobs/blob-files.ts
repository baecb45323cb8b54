import type { BlobHash, BlobResult, Blobs, OpenBlob, StoredBlob } from "../../ports/blobs.ts";
import { isBlobHash } from "./blake3.ts";
import { faultFrom, invalidHash, notFound } from "./blob-faults.ts";
import { blobPlace, hasForeignFolder } from "./blob-place.ts";
import { openBlob } from "./open-blob.ts";
import { storeBlob } from "./store-blob.ts";

/** Blobs as files in the state directory, `blobs/PROJECT/ab/abcdef…`. Nothing is made before the first one is stored. */
export class BlobFiles implements Blobs {
  readonly #stateDir: string;

  constructor(stateDir: string) {
    this.#stateDir = stateDir;
  }

  async put(
    project: string,
    content: Uint8Array | AsyncIterable<Uint8Array>,
    expected?: BlobHash,
  ): Promise<BlobResult<StoredBlob>> {
    try {
      return await storeBlob(this.#stateDir, project, content, expected);
    } catch (error) {
      return { ok: false, fault: faultFrom(error) };
    }
  }

  async get(project: string, hash: string): Promise<BlobResult<OpenBlob>> {
    if (!isBlobHash(hash)) return { ok: false, fault: invalidHash(hash) };
    try {
      const { folders, file } = blobPlace(this.#stateDir, project, hash);
      if (hasForeignFolder(folders)) return { ok: false, fault: notFound(hash) };
      return await openBlob(file, hash);
    } catch (error) {
      return { ok: false, fault: faultFrom(error) };
    }
  }
}
