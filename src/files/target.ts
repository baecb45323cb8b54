import { accessSync, type BigIntStats, constants } from "node:fs";
import type { Digest } from "../domain/digest.ts";
import { type FileChange, type FileResult, ok } from "../ports/files.ts";
import { Cursor } from "./cursor.ts";
import type { Draft } from "./draft.ts";
import { changed, exists, missing } from "./faults.ts";
import { descend, openRegularAt } from "./open-regular.ts";
import { digestOfFile } from "./read.ts";

/** One file of a change: its directory is held open, and it was found to be what was judged. */
export interface Target extends Disposable {
  readonly change: FileChange;
  readonly label: string;
  readonly cursor: Cursor;
  /** The file's name in the held directory, for calls that take a path. */
  readonly path: string;
  /** As of when it was compared with what had been judged; null = there is none. */
  readonly stats: BigIntStats | null;
}

/** A target and its new content; null = the file goes away. */
export interface ReadyTarget extends Target {
  readonly draft: Draft | null;
}

export async function openTarget(change: FileChange, label: string): Promise<FileResult<Target>> {
  using opened = new DisposableStack();
  const cursor = opened.use(new Cursor());
  const name = descend(cursor, change.path, label);
  if (!name.ok) return name;
  const found = await statsOfJudged(cursor, name.value, change, label);
  if (!found.ok) return found;
  const resources = opened.move();
  const path = cursor.at(name.value);
  return ok({ change, label, cursor, path, stats: found.value, [Symbol.dispose]: () => resources.dispose() });
}

async function statsOfJudged(
  cursor: Cursor,
  name: string,
  { before, content, onlyNew }: FileChange,
  label: string,
): Promise<FileResult<BigIntStats | null>> {
  const version = await versionAt(cursor, name, label);
  if (!version.ok) return version;
  const now = version.value;
  if (now !== null && before === null && onlyNew) return exists(label);
  if ((now?.digest ?? null) !== before) return changed(label);
  if (now === null && content === null) return missing(label);
  return ok(now?.stats ?? null);
}

interface Version {
  readonly digest: Digest;
  readonly stats: BigIntStats;
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
