import { accessSync, type BigIntStats, constants, linkSync, lstatSync, renameSync, unlinkSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import type { Digest } from "../domain/digest.ts";
import type { CheckedPath, FileResult } from "../ports/files.ts";
import { Cursor } from "./cursor.ts";
import { type Draft, fill, openDraft } from "./draft.ts";
import { changed, errnoOf, fault, ok, tooLarge } from "./faults.ts";
import { descend, openRegularAt } from "./open-regular.ts";
import { digestOfFile } from "./read.ts";

/** The file as it was when it was compared with what had been judged. */
interface Version {
  readonly digest: Digest;
  readonly stats: BigIntStats;
}

export async function write(
  path: CheckedPath,
  content: Uint8Array,
  before: Digest | null,
  { label, bytesMax }: { label: string; bytesMax: number },
): Promise<FileResult<{ bytes: number }>> {
  if (content.length > bytesMax) return tooLarge(label, bytesMax, "write a smaller file");
  using cursor = new Cursor();
  const name = descend(cursor, path, label);
  if (!name.ok) return name;
  const current = await versionAt(cursor, name.value, label);
  if (!current.ok) return current;
  if ((current.value?.digest ?? null) !== before) return changed(label);

  const replaced = current.value?.stats ?? null;
  await using directory = await open(cursor.here, constants.O_RDONLY | constants.O_DIRECTORY);
  await using draft = await openDraft(cursor);
  await fill(draft, content, replaced);
  const published = publish(draft, cursor.at(name.value), replaced, label);
  return published.ok ? await settled(directory, label, content.length) : published;
}

async function versionAt(cursor: Cursor, name: string, label: string): Promise<FileResult<Version | null>> {
  const opened = await openRegularAt(cursor, name, label);
  if (!opened.ok) return opened;
  await using file = opened.value;
  if (file === null) return ok(null);
  // Renaming over a file asks for no permission on the file itself, but whoever made it read-only meant it.
  accessSync(`/proc/self/fd/${file.handle.fd}`, constants.W_OK);
  const digest = await digestOfFile(file, label);
  return digest.ok ? ok({ digest: digest.value, stats: file.stats }) : digest;
}

/** Synchronous, so that two writes of this process never come between the last look and the rename. */
function publish(draft: Draft, target: string, replaced: BigIntStats | null, label: string): FileResult<null> {
  if (replaced === null) return publishNew(draft, target, label);
  const now = lstatSync(target, { bigint: true, throwIfNoEntry: false });
  if (now === undefined || !isSameVersion(now, replaced)) return changed(label);
  renameSync(draft.path, target);
  return ok(null);
}

/** `link` refuses where `rename` would replace what somebody else has put there meanwhile. */
function publishNew(draft: Draft, target: string, label: string): FileResult<null> {
  try {
    linkSync(draft.path, target);
  } catch (error) {
    if (errnoOf(error) === "EEXIST") return changed(label);
    throw error;
  }
  unlinkSync(draft.path);
  return ok(null);
}

const SAME = ["dev", "ino", "size", "mtimeNs", "ctimeNs"] as const satisfies (keyof BigIntStats)[];

const isSameVersion = (a: BigIntStats, b: BigIntStats): boolean => SAME.every((field) => a[field] === b[field]);

/** The new content is in place by now: a fault must not sound as if the old one were. */
async function settled(directory: FileHandle, label: string, bytes: number): Promise<FileResult<{ bytes: number }>> {
  try {
    await directory.sync();
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === undefined) throw error;
    // EINVAL: this file system has no such step (`man 2 fsync`).
    if (errno !== "EINVAL")
      return fault("IO_ERROR", `${label} was written, but may be lost in a power cut`, CHECK_DISK);
  }
  return ok({ bytes });
}

const CHECK_DISK = "check the disk, then read the file before writing it again";
