import type { Dirent } from "node:fs";
import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import { isBlobHash } from "./blake3.ts";

/** Other processes store blobs as well, so that a sum is good for a while only. */
const GOOD_MS = 60_000;

/** A blob as it lies there. */
export interface BlobFile {
  readonly hash: string;
  readonly path: string;
  readonly bytes: number;
  readonly changedMs: number;
}

/** How much each project has. Counted when it is first asked for; what this process adds is added. */
export class BlobQuota {
  readonly #sums = new Map<string, { bytes: number; readonly untilMs: number }>();

  /** `folder`: the project's own. */
  async used(folder: string): Promise<number> {
    const known = this.#sums.get(folder);
    if (known !== undefined && performance.now() < known.untilMs) return known.bytes;
    let bytes = 0;
    for await (const file of blobsIn(folder)) bytes += file.bytes;
    this.#sums.set(folder, { bytes, untilMs: performance.now() + GOOD_MS });
    return bytes;
  }

  add(folder: string, bytes: number): void {
    const known = this.#sums.get(folder);
    if (known !== undefined) known.bytes += bytes;
  }
}

/** All blobs of a project. What else lies there is none of ours; links are not followed. */
export async function* blobsIn(folder: string): AsyncGenerator<BlobFile> {
  for (const shard of await entriesOf(folder)) {
    if (!shard.isDirectory()) continue;
    for (const entry of await entriesOf(join(folder, shard.name))) {
      if (!entry.isFile() || !isBlobHash(entry.name)) continue;
      const path = join(folder, shard.name, entry.name);
      const stats = await lstat(path).catch(() => null);
      if (stats !== null) yield { hash: entry.name, path, bytes: stats.size, changedMs: stats.mtimeMs };
    }
  }
}

async function entriesOf(folder: string): Promise<readonly Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    if ((error as { code?: unknown }).code === "ENOENT") return [];
    throw error;
  }
}
