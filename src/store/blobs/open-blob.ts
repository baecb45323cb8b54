import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { LIMITS } from "../../domain/limits.ts";
import { BlobError, type BlobHash, type BlobResult, type OpenBlob } from "../../ports/blobs.ts";
import { newHasher } from "./blake3.ts";
import { damaged, notFound } from "./blob-faults.ts";

const CHUNK_BYTES = 256 * 1024;

/** Reads all of it once to verify it, and again to hand it out: no byte of a damaged content is served. */
export async function openBlob(file: string, hash: BlobHash): Promise<BlobResult<OpenBlob>> {
  let bytes = 0;
  try {
    for await (const chunk of verified(file, hash)) bytes += chunk.length;
  } catch (error) {
    const code = (error as { code?: unknown }).code;
    if (code === "ENOENT") return { ok: false, fault: notFound(hash) };
    // A link, a folder or a device of that name is nothing that we put there.
    const isDamaged = error instanceof BlobError || code === "ELOOP" || code === "ENXIO" || code === "EISDIR";
    if (isDamaged) return { ok: false, fault: damaged(hash) };
    throw error;
  }
  return { ok: true, value: { hash, bytes, chunks: () => verified(file, hash) } };
}

/** The last chunk comes only once the hash over all of them is right. */
async function* verified(file: string, hash: BlobHash): AsyncGenerator<Uint8Array> {
  const { O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants;
  const handle = await open(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    const stats = await handle.stat();
    if (!stats.isFile() || stats.size > LIMITS.blobBytes.default) throw new BlobError(damaged(hash));
    const hasher = await newHasher();
    let last: Uint8Array | null = null;
    for await (const chunk of chunksOf(handle)) {
      if (last !== null) yield last;
      hasher.update(chunk);
      last = chunk;
    }
    if (hasher.end() !== hash) throw new BlobError(damaged(hash));
    if (last !== null) yield last;
  } finally {
    await handle.close();
  }
}

async function* chunksOf(handle: FileHandle): AsyncGenerator<Uint8Array> {
  for (;;) {
    const { bytesRead, buffer } = await handle.read(new Uint8Array(CHUNK_BYTES), 0, CHUNK_BYTES);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
  }
}
