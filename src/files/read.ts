import { createHash } from "node:crypto";
import type { Digest } from "../domain/digest.ts";
import { LIMITS } from "../domain/limits.ts";
import { type CheckedPath, type FileResult, fault, ok, type ReadRange } from "../ports/files.ts";
import { missing, tooLarge } from "./faults.ts";
import { openRegular, type RegularFile } from "./open-regular.ts";

const CHUNK_BYTES_MIN = 4 * 1024;
const CHUNK_BYTES_MAX = 1024 * 1024;

/** A file that takes longer to hash than anybody waits for an answer is not hashed at all. */
const DIGEST_BYTES_MAX = LIMITS.readBytes.maximum;

export async function read(
  path: CheckedPath,
  { offset, limit }: ReadRange,
  { label, bytesMax }: { label: string; bytesMax: number },
): Promise<FileResult<Uint8Array>> {
  if (!(limit >= 0))
    return fault("INVALID_ARGUMENTS", `the limit \`${limit}\` is not a number of bytes`, "use 0 or more");
  const opened = await openRegular(path, label);
  if (!opened.ok) return opened;
  await using file = opened.value;
  if (file === null) return missing(label);

  const bytes = Number(file.stats.size);
  if (!Number.isSafeInteger(offset) || offset < 0 || offset > bytes) {
    return fault("INVALID_OFFSET", `${label} has no offset \`${offset}\``, `use a whole number from 0 to ${bytes}`);
  }
  const over = tooLarge(label, bytesMax, "read a part of it with an offset and a limit");
  if (Math.min(limit, bytes - offset) > bytesMax) return over;
  // Counted again: the size that a file reports is not always what it holds.
  const content = await bytesOf(chunksOf(file, offset, Math.min(limit, bytesMax + 1)));
  return content.length > bytesMax ? over : ok(content);
}

export async function digest(path: CheckedPath, label: string): Promise<FileResult<Digest | null>> {
  const opened = await openRegular(path, label);
  if (!opened.ok) return opened;
  await using file = opened.value;
  return file === null ? ok(null) : await digestOfFile(file, label);
}

export async function digestOfFile(file: RegularFile, label: string): Promise<FileResult<Digest>> {
  const over = tooLarge(label, DIGEST_BYTES_MAX, "use a smaller file");
  if (file.stats.size > DIGEST_BYTES_MAX) return over;
  const hash = createHash("sha256");
  let bytes = 0;
  for await (const chunk of chunksOf(file, 0, DIGEST_BYTES_MAX + 1)) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  return bytes > DIGEST_BYTES_MAX ? over : ok(hash.digest("hex") as Digest);
}

/** Reads to the end, which is where nothing more comes; the reported size only helps to get there in few steps. */
async function* chunksOf({ handle, stats }: RegularFile, offset: number, bytesMax: number): AsyncGenerator<Uint8Array> {
  const size = Number(stats.size);
  const end = offset + bytesMax;
  for (let position = offset; position < end; ) {
    const expected = Math.min(Math.max(size + 1 - position, CHUNK_BYTES_MIN), CHUNK_BYTES_MAX);
    const buffer = Buffer.allocUnsafe(Math.min(expected, end - position));
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, position);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
    position += bytesRead;
    if (position === size && bytesRead < buffer.length) return;
  }
}

/** A copy of its own: a `Buffer` may share its memory with others. */
async function bytesOf(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const all = await Array.fromAsync(chunks);
  const content = new Uint8Array(all.reduce((sum, chunk) => sum + chunk.length, 0));
  let position = 0;
  for (const chunk of all) {
    content.set(chunk, position);
    position += chunk.length;
  }
  return content;
}
