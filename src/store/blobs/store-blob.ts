import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, open, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { LIMITS } from "../../domain/limits.ts";
import type { BlobFault, BlobHash, BlobResult, StoredBlob } from "../../ports/blobs.ts";
import { newHasher } from "./blake3.ts";
import { mismatch, tooLarge } from "./blob-faults.ts";
import { blobPlace, hasForeignFolder, makeFolders, projectFolders, syncFolder } from "./blob-place.ts";

const BYTES_MAX = LIMITS.blobBytes.default;
/** Hashing holds up the event loop: two milliseconds for this much. */
const SLICE_BYTES = 1024 * 1024;

/** `room`: whether there is some for so many bytes in the project's folder. Written beside its place, on the disk, then moved into it: at each moment there is the whole content or none. */
export async function storeBlob(
  stateDir: string,
  project: string,
  content: Uint8Array | AsyncIterable<Uint8Array>,
  expected: BlobHash | undefined,
  room: (folder: string, bytes: number) => Promise<BlobFault | null> = async () => null,
): Promise<BlobResult<StoredBlob>> {
  if (content instanceof Uint8Array && content.length > BYTES_MAX) return { ok: false, fault: tooLarge() };
  const outer = projectFolders(stateDir, project);
  if (hasForeignFolder(outer)) throw notAFolder();
  await makeFolders(outer);
  const draft = join(outer[1], `draft-${randomBytes(12).toString("hex")}`);
  try {
    const written = await writeDraft(draft, content);
    if (written === null) return { ok: false, fault: tooLarge() };
    if (expected !== undefined && written.hash !== expected) return { ok: false, fault: mismatch() };
    const full = await room(outer[1], written.bytes);
    if (full !== null) return { ok: false, fault: full };
    const { folders, folder, file } = blobPlace(stateDir, project, written.hash);
    if (hasForeignFolder(folders)) throw notAFolder();
    await makeFolders(folders);
    // Over what is there already: the same content, or a damaged one that this repairs.
    await rename(draft, file);
    await syncFolder(folder);
    return { ok: true, value: written };
  } finally {
    await rm(draft, { force: true });
  }
}

/** Null: it is too large. */
async function writeDraft(draft: string, content: Uint8Array | AsyncIterable<Uint8Array>): Promise<StoredBlob | null> {
  const { O_CREAT, O_EXCL, O_NOFOLLOW, O_WRONLY } = constants;
  const handle = await open(draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
  try {
    const hasher = await newHasher();
    let bytes = 0;
    for await (const slice of slicesOf(content)) {
      bytes += slice.length;
      if (bytes > BYTES_MAX) return null;
      hasher.update(slice);
      await writeAll(handle, slice);
    }
    await handle.sync();
    return { hash: hasher.end(), bytes };
  } finally {
    await handle.close();
  }
}

async function* slicesOf(content: Uint8Array | AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  if (!(content instanceof Uint8Array)) {
    for await (const chunk of content) yield* slicesOf(chunk);
    return;
  }
  for (let at = 0; at < content.length; at += SLICE_BYTES) {
    if (at > 0) await setImmediate();
    yield content.subarray(at, at + SLICE_BYTES);
  }
}

async function writeAll(handle: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length; ) at += (await handle.write(bytes, at)).bytesWritten;
}

const notAFolder = (): Error => Object.assign(new Error("a folder for blobs is none"), { code: "ENOTDIR" });
