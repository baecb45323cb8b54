import { lstat, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { blobFolder, hasForeignFolder } from "./blob-place.ts";
import { type BlobFile, blobsIn } from "./blob-quota.ts";

export interface Collected {
  readonly removed: number;
  readonly removedBytes: number;
  readonly kept: number;
  readonly keptBytes: number;
}

export interface CollectOptions {
  readonly stateDir: string;
  readonly nowMs: number;
  /** What is younger stays: a blob is there before the entry that names it. */
  readonly graceMs: number;
  /** Takes out of the given hashes those that something still names. Throws where that can't be found out. */
  readonly withoutNamed: (hashes: Set<string>) => void;
  readonly mode: "remove" | "look";
}

/** Removes the blobs that nothing names any more, of all projects. */
export async function collectBlobs({
  stateDir,
  nowMs,
  graceMs,
  withoutNamed,
  mode,
}: CollectOptions): Promise<Collected> {
  const all = blobFolder(stateDir);
  if (hasForeignFolder([all])) throw Object.assign(new Error("a folder for blobs is none"), { code: "ENOTDIR" });
  const isOld = (changedMs: number): boolean => changedMs < nowMs - graceMs;
  const files: BlobFile[] = [];
  for (const project of await foldersIn(all)) {
    for await (const file of blobsIn(project)) files.push(file);
    if (mode === "remove") await removeDrafts(project, isOld);
  }
  const unnamed = new Set(files.filter(({ changedMs }) => isOld(changedMs)).map(({ hash }) => hash));
  if (unnamed.size > 0) withoutNamed(unnamed);
  const counts = { removed: 0, removedBytes: 0, kept: 0, keptBytes: 0 };
  for (const file of files) {
    const isGone = unnamed.has(file.hash) && isOld(file.changedMs) && (mode === "look" || (await remove(file, isOld)));
    counts[isGone ? "removed" : "kept"]++;
    counts[isGone ? "removedBytes" : "keptBytes"] += file.bytes;
  }
  return counts;
}

/** Moved aside first: if it was stored anew just now, it is young, and goes back to its place. */
async function remove({ path }: BlobFile, isOld: (changedMs: number) => boolean): Promise<boolean> {
  const aside = `${path}.gone`;
  try {
    await rename(path, aside);
    const { mtimeMs } = await lstat(aside);
    if (!isOld(mtimeMs)) {
      await rename(aside, path);
      return false;
    }
    await rm(aside);
    return true;
  } catch (error) {
    if ((error as { code?: unknown }).code === "ENOENT") return true;
    throw error;
  }
}

/** What a process left behind that died while it wrote. */
async function removeDrafts(project: string, isOld: (changedMs: number) => boolean): Promise<void> {
  for (const name of await readdir(project)) {
    if (!/^draft-[0-9a-f]{24}$/.test(name)) continue;
    const path = join(project, name);
    const stats = await lstat(path).catch(() => null);
    if (stats?.isFile() && isOld(stats.mtimeMs)) await rm(path, { force: true });
  }
}

async function foldersIn(all: string): Promise<readonly string[]> {
  try {
    const entries = await readdir(all, { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(all, name));
  } catch (error) {
    if ((error as { code?: unknown }).code === "ENOENT") return [];
    throw error;
  }
}
