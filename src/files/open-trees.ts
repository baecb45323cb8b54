import { createHash } from "node:crypto";
import {
  type BigIntStats,
  chmodSync,
  closeSync,
  constants,
  type Dirent,
  fchownSync,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  statSync,
  unlinkSync,
} from "node:fs";
import { dirname } from "node:path";
import { nameFromBytes } from "../domain/byte-names.ts";
import type { Listing, MadeFile, TreeEntry, Trees } from "../ports/trees.ts";
import { errnoOf } from "./faults.ts";
import { inHeldFolder, type Spot } from "./in-held-folder.ts";

const { O_CREAT, O_DIRECTORY, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_WRONLY } = constants;
/** `man 2 open`; Node does not export it. */
const O_PATH = 0o10000000;

/** The folders of this machine, by name: what is found is compared with what is mounted before a program starts. */
export const openTrees = (): Trees => ({
  stamp: (folder) => {
    const stats = statsOf(folder);
    return stats?.isDirectory() === true ? stampFrom(stats) : null;
  },
  list,
  kindOf: (path) => {
    const stats = statsOf(path);
    return stats === null ? "absent" : kindFrom(stats);
  },
  shortText,
  digest,
  unlock: (folder) => inHeldFolder(folder, unlock) ?? false,
  make: (path, ownedLike) => inHeldFolder(path, (spot) => make(spot, ownedLike)),
  unmake: (made) => void inHeldFolder(made.path, (spot) => unmake(spot, made)),
});

/** The names are those of the folder that was opened, and that folder is at this path. */
function list(folder: string): Listing {
  let fd: number;
  try {
    fd = openSync(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  } catch (error) {
    return unlisted(error, folder);
  }
  try {
    const held = `/proc/self/fd/${fd}`;
    if (readlinkSync(held) !== folder) return ABSENT;
    const before = stampFrom(fstatSync(fd, { bigint: true }));
    const content = entriesIn(held);
    return { content, stamp: before === stampFrom(fstatSync(fd, { bigint: true })) ? before : null };
  } catch (error) {
    return unlisted(error, folder);
  } finally {
    closeSync(fd);
  }
}

function entriesIn(folder: string): readonly TreeEntry[] {
  const entries = readdirSync(folder, { withFileTypes: true });
  // Bytes are slower to read, and hardly ever needed: this letter stands for those that are no UTF-8.
  if (!entries.some(({ name }) => name.includes("\uFFFD")))
    return entries.map((entry) => ({ name: entry.name, kind: kindFrom(entry) }));
  return readdirSync(folder, { withFileTypes: true, encoding: "buffer" }).map((entry) => ({
    name: nameFromBytes(entry.name),
    kind: kindFrom(entry),
  }));
}

/** Not the modification time, which a program can set back. */
const stampFrom = ({ ino, ctimeNs }: BigIntStats): string => `${ino}:${ctimeNs}`;

const ABSENT: Listing = { content: "absent", stamp: null };

function unlisted(error: unknown, folder: string): Listing {
  const errno = errnoOf(error);
  if (errno === undefined) throw error;
  if (errno === "ENAMETOOLONG") return { content: "unreadable", stamp: null };
  if (errno !== "EACCES" && errno !== "EPERM") return ABSENT;
  // Programs run as the gate's user: where that one owns the folder, a program may open it to itself.
  return isOwn(folder) ? { content: "unreadable", stamp: null } : ABSENT;
}

/** Where the folder itself can't be looked up, the one above it decides who may get in. */
function isOwn(folder: string): boolean {
  const stats = statsOf(folder) ?? statsOf(dirname(folder));
  return stats === null || Number(stats.uid) === process.geteuid?.();
}

/** Null: it is not there, or can't be looked up, which `list` tells apart. */
function statsOf(path: string): BigIntStats | null {
  try {
    return lstatSync(path, { bigint: true, throwIfNoEntry: false }) ?? null;
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return null;
  }
}

function kindFrom(entry: Dirent | Dirent<Buffer> | BigIntStats): TreeEntry["kind"] {
  if (entry.isFile()) return "file";
  if (entry.isDirectory()) return "directory";
  if (entry.isSocket()) return "socket";
  return entry.isSymbolicLink() ? "link" : "other";
}

const DIGEST_BYTES_MAX = 16 * 1024 * 1024;

const shortText = (path: string, bytesMax: number): string | null => beginning(path, bytesMax)?.toString() ?? null;

function digest(path: string): string | null {
  const bytes = beginning(path, DIGEST_BYTES_MAX);
  return bytes === null ? null : createHash("sha256").update(bytes).digest("hex");
}

/** All of a regular file. Null = it is something else, or longer. */
function beginning(path: string, bytesMax: number): Buffer | null {
  return inHeldFolder(path, ({ at }) => {
    try {
      const fd = openSync(at, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
      try {
        const stats = fstatSync(fd);
        if (!stats.isFile() || stats.size > bytesMax) return null;
        const bytes = Buffer.alloc(stats.size + 1);
        const read = readSync(fd, bytes, 0, bytes.length, 0);
        return read > stats.size ? null : bytes.subarray(0, read);
      } finally {
        closeSync(fd);
      }
    } catch (error) {
      if (errnoOf(error) === undefined) throw error;
      return null;
    }
  });
}

/** The folder that holds it may be locked as well: it was listed, but nothing in it can be looked up. */
function unlock({ at }: Spot): boolean {
  try {
    if (isLocked(at)) allowOwner(dirname(at));
    const fd = openSync(at, O_PATH | O_DIRECTORY | O_NOFOLLOW);
    try {
      allowOwner(`/proc/self/fd/${fd}`);
      return true;
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return false;
  }
}

function isLocked(at: string): boolean {
  try {
    lstatSync(at);
    return false;
  } catch (error) {
    if (errnoOf(error) !== "EACCES") throw error;
    return true;
  }
}

const allowOwner = (held: string): void => chmodSync(held, (statSync(held).mode & 0o7777) | 0o700);

function make({ path, at }: Spot, ownedLike: string): MadeFile | null {
  try {
    const fd = openSync(at, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o666);
    try {
      if (process.geteuid?.() === 0) giveTo(fd, ownedLike);
      const { dev, ino } = fstatSync(fd, { bigint: true });
      return { path, dev, ino };
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return null;
  }
}

/** Programs of a gate that is root run as the owner of the workspace. */
function giveTo(fd: number, folder: string): void {
  const { uid, gid } = lstatSync(folder);
  try {
    fchownSync(fd, uid, gid);
  } catch (error) {
    // A root of a user namespace that doesn't have that user: programs run as root there, too.
    if (errnoOf(error) !== "EINVAL" && errnoOf(error) !== "EPERM") throw error;
  }
}

function unmake({ at }: Spot, { dev, ino }: MadeFile): void {
  const stats = statsOf(at);
  if (stats === null || stats.dev !== dev || stats.ino !== ino || stats.size > 0n) return;
  // A program that emptied it on purpose has set the time all the same. The change of its owner does not.
  if (stats.mtimeNs !== stats.birthtimeNs) return;
  try {
    unlinkSync(at);
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
  }
}
