import { lstatSync } from "node:fs";
import { mkdir, open } from "node:fs/promises";
import { dirname, join } from "node:path";
import { digestOfText } from "../../domain/digest.ts";
import type { BlobHash } from "../../ports/blobs.ts";

const PLAIN_NAME = /^[a-z0-9][a-z0-9_-]{0,63}$/;
/** As many folders as keep a million blobs at some thousand a folder. */
const SHARD_DIGITS = 2;

export const blobFolder = (stateDir: string): string => join(stateDir, "blobs");

/** A project's own folder, below all of them. A name that is no safe name of a folder is replaced by its digest. */
export function projectFolders(stateDir: string, project: string): readonly [all: string, own: string] {
  const all = blobFolder(stateDir);
  return [all, join(all, PLAIN_NAME.test(project) ? project : `~${digestOfText(project)}`)];
}

export interface BlobPlace {
  /** From the outermost inwards; the last one holds the file. */
  readonly folders: readonly string[];
  readonly folder: string;
  readonly file: string;
}

export function blobPlace(stateDir: string, project: string, hash: BlobHash): BlobPlace {
  const [all, own] = projectFolders(stateDir, project);
  const folder = join(own, hash.slice(0, SHARD_DIGITS));
  return { folders: [all, own, folder], folder, file: join(folder, hash) };
}

/** The state directory may have come with a repository: a link in it would have us read or write somebody's files. */
export const hasForeignFolder = (folders: readonly string[]): boolean =>
  folders.some((folder) => lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() === false);

/** Each one on the disk before anything is put into it. */
export async function makeFolders(folders: readonly string[]): Promise<void> {
  for (const folder of folders) {
    const made = await mkdir(folder, { mode: 0o700, recursive: true });
    if (made !== undefined) await syncFolder(dirname(folder));
  }
}

export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
