import { LIMITS } from "../../domain/limits.ts";
import type { BlobFault, BlobHash, BlobResult, Blobs, OpenBlob, StoredBlob } from "../../ports/blobs.ts";
import { isBlobHash } from "./blake3.ts";
import { faultFrom, invalidHash, notFound, overQuota } from "./blob-faults.ts";
import { blobPlace, hasForeignFolder } from "./blob-place.ts";
import { BlobQuota } from "./blob-quota.ts";
import { openBlob } from "./open-blob.ts";
import { storeBlob } from "./store-blob.ts";

/** Blobs as files in the state directory, `blobs/PROJECT/ab/abcdef…`. Nothing is made before the first one is stored. */
export class BlobFiles implements Blobs {
  readonly #stateDir: string;
  readonly #quotaBytes: number;
  readonly #quota = new BlobQuota();

  /** `quotaBytes`: how much one project may have. */
  constructor(stateDir: string, quotaBytes: number = LIMITS.blobQuotaBytes.default) {
    this.#stateDir = stateDir;
    this.#quotaBytes = quotaBytes;
  }

  async put(
    project: string,
    content: Uint8Array | AsyncIterable<Uint8Array>,
    expected?: BlobHash,
  ): Promise<BlobResult<StoredBlob>> {
    try {
      return await storeBlob(this.#stateDir, project, content, expected, (folder, bytes) => this.#room(folder, bytes));
    } catch (error) {
      return { ok: false, fault: faultFrom(error) };
    }
  }

  async #room(folder: string, bytes: number): Promise<BlobFault | null> {
    if ((await this.#quota.used(folder)) + bytes > this.#quotaBytes) return overQuota(this.#quotaBytes);
    this.#quota.add(folder, bytes);
    return null;
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
