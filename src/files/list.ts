import { isUtf8 } from "node:buffer";
import { type Dirent, lstatSync, type Stats } from "node:fs";
import { opendir } from "node:fs/promises";
import { type CheckedPath, type DirectoryEntry, type FileResult, fault, type Listing, ok } from "../ports/files.ts";
import { Cursor } from "./cursor.ts";
import { changed, errnoOf } from "./faults.ts";
import { isKernelMade } from "./kernel-files.ts";
import { descend } from "./open-regular.ts";

/** Sorting needs all names at once, so there is an end to how many there may be. */
const NAMES_MAX = 50_000;

/** Between two of these, others get their turn. */
const CHUNK_NAMES = 256;

export async function list(path: CheckedPath, label: string): Promise<FileResult<Listing>> {
  using cursor = new Cursor();
  const entered = enterAll(cursor, path, label);
  if (!entered.ok) return entered;
  if (isKernelMade(cursor.here)) return notDirectory(label, "is made up by the kernel");

  const entries: DirectoryEntry[] = [];
  let [names, unnamed] = [0, 0];
  for await (const { name } of await namesIn(cursor)) {
    names += 1;
    if (names > NAMES_MAX) break;
    if (!isUtf8(name)) unnamed += 1;
    else entries.push(...entryAt(cursor, name.toString(), path));
  }
  return ok({ entries: inByteOrder(entries), truncated: names > NAMES_MAX, unnamed });
}

/** The type of Node knows no directory whose names are bytes. */
const namesIn = async (cursor: Cursor): Promise<AsyncIterable<Dirent<Buffer>>> =>
  (await opendir(cursor.here, {
    encoding: "buffer" as BufferEncoding,
    bufferSize: CHUNK_NAMES,
  })) as unknown as AsyncIterable<Dirent<Buffer>>;

function enterAll(cursor: Cursor, path: CheckedPath, label: string): FileResult<null> {
  if (path === "/") return ok(null);
  const name = descend(cursor, path, label);
  if (!name.ok) return name;
  try {
    cursor.enter(name.value);
    return ok(null);
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === "ENOENT") return fault("FILE_NOT_FOUND", `there is no directory at ${label}`, "check the path");
    if (errno !== "ENOTDIR") throw error;
    return lstatSync(cursor.at(name.value)).isSymbolicLink() ? changed(label) : notDirectory(label, "is no directory");
  }
}

const notDirectory = (label: string, says: string) =>
  fault("NOT_DIRECTORY", `${label} ${says}`, "name a directory; `read_file` reads a file");

/** Nothing, if it has gone since its name was read. */
function entryAt(cursor: Cursor, name: string, directory: CheckedPath): readonly DirectoryEntry[] {
  const stats = lstatSync(cursor.at(name), { throwIfNoEntry: false });
  if (stats === undefined) return [];
  const path = `${directory === "/" ? "" : directory}/${name}` as CheckedPath;
  return [{ name, path, kind: kindOf(stats), bytes: stats.isFile() ? stats.size : 0 }];
}

function kindOf(stats: Stats): DirectoryEntry["kind"] {
  if (stats.isFile()) return "file";
  if (stats.isDirectory()) return "directory";
  return stats.isSymbolicLink() ? "link" : "other";
}

/** A directory's name counts with its slash, so that a whole tree, listed in this order, is in the order of its paths. */
function inByteOrder(entries: readonly DirectoryEntry[]): readonly DirectoryEntry[] {
  const keyed = entries.map((entry) => ({
    entry,
    key: Buffer.from(entry.kind === "directory" ? `${entry.name}/` : entry.name),
  }));
  return keyed.sort((a, b) => Buffer.compare(a.key, b.key)).map(({ entry }) => entry);
}
