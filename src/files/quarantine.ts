import { randomBytes } from "node:crypto";
import {
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  statSync,
  symlinkSync,
  unlinkSync,
} from "node:fs";
import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { LIMITS } from "../domain/limits.ts";
import type { Quarantine, Taken } from "../ports/quarantine.ts";
import { Cursor, isName } from "./cursor.ts";
import { errnoOf } from "./faults.ts";

/** Between two of these deletions, others get their turn. */
const DELETED_AT_ONCE = 500;
/** Folders in folders that are copied to another file system. Each holds a descriptor open. */
const COPY_DEPTH_MAX = 100;
/** Name of a thing's own folder: when it came, its size, and something that makes it unique. */
const OWN_FOLDER = /^\d{8}T\d{6}\d{3}Z-(\d+)-[0-9a-f]{8}$/;

interface Size {
  readonly bytes: number;
  readonly entries: number;
}

/** Keeps what it takes in `held-back` of the state directory, each thing in a folder of its own. */
export const openQuarantine = (stateDir: string, nowMs: () => number): Quarantine => {
  const folder = join(stateDir, "held-back");
  let [isForgetting, isMore] = [false, false];
  const forget = async (): Promise<void> => {
    isMore = true;
    if (isForgetting) return;
    isForgetting = true;
    while (isMore) {
      isMore = false;
      await forgetOldest(folder);
    }
    isForgetting = false;
  };
  return {
    take: (path) => {
      const taken = take(path, folder, nowMs());
      if (taken.kind === "moved" || taken.kind === "deleted") void forget();
      return taken;
    },
  };
};

function take(path: string, folder: string, nowMs: number): Taken {
  const names = path.split("/").slice(1);
  const name = names.pop();
  if (name === undefined || ![...names, name].every(isName)) return { kind: "left", because: "it has no usable path" };
  try {
    using cursor = new Cursor();
    for (const each of names) cursor.enter(each);
    if (!canLookUp(cursor.at(name))) allowOwner(cursor.here);
    const size = sizeOf(cursor.at(name));
    if (size === null) return { kind: "gone" };
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const own = join(folder, ownFolderName(nowMs, size));
    mkdirSync(own, { mode: 0o700 });
    const to = join(own, name);
    try {
      move(cursor, name, to);
    } catch (error) {
      removeIfEmpty(own);
      throw error;
    }
    if (size.entries <= LIMITS.heldBackEntries.maximum && size.bytes <= LIMITS.heldBackBytes.maximum)
      return { kind: "moved", to };
    return { kind: "deleted" }; // with the oldest things, in a moment
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === undefined) throw error;
    // The way to it has gone, or leads through a link by now: another program has moved it, and its own end finds it.
    return errno === "ENOENT" || errno === "ENOTDIR" ? { kind: "gone" } : { kind: "left", because: errno };
  }
}

function canLookUp(at: string): boolean {
  try {
    lstatSync(at, { throwIfNoEntry: false });
    return true;
  } catch (error) {
    if (errnoOf(error) !== "EACCES") throw error;
    return false;
  }
}

const ownFolderName = (nowMs: number, { bytes, entries }: Size): string => {
  const isTooLarge = entries > LIMITS.heldBackEntries.maximum;
  const stamp = new Date(nowMs).toISOString().replaceAll(/[-:.]/g, "");
  return `${stamp}-${isTooLarge ? Number.MAX_SAFE_INTEGER : bytes}-${randomBytes(4).toString("hex")}`;
};

/** As far as it has to be counted. Null = there is nothing. */
function sizeOf(at: string): Size | null {
  const stats = lstatSync(at, { throwIfNoEntry: false });
  if (stats === undefined) return null;
  if (!stats.isDirectory()) return { bytes: stats.size, entries: 1 };
  let [bytes, entries] = [0, 1];
  const count = (folder: string, depth: number): void => {
    const fd = openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
    try {
      for (const name of readdirSync(`/proc/self/fd/${fd}`)) {
        const inner = `/proc/self/fd/${fd}/${name}`;
        const one = lstatSync(inner, { throwIfNoEntry: false });
        entries += 1;
        bytes += one?.isFile() ? one.size : 0;
        // So deep is what nobody wants back.
        if (depth === COPY_DEPTH_MAX) entries = Number.POSITIVE_INFINITY;
        if (entries > LIMITS.heldBackEntries.maximum) return;
        if (one?.isDirectory()) count(inner, depth + 1);
      }
    } finally {
      closeSync(fd);
    }
  };
  try {
    count(at, 0);
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    entries = Number.POSITIVE_INFINITY; // a folder in it can't be looked into
  }
  return { bytes, entries };
}

function move(cursor: Cursor, name: string, to: string): void {
  const at = cursor.at(name);
  try {
    renameSync(at, to);
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === "EXDEV") {
      copyAcross(at, to, COPY_DEPTH_MAX);
      return;
    }
    if (errno !== "EACCES" && errno !== "EPERM") throw error;
    // A program may have taken the rights from its own folders: from the one that holds it, and from it, if it is one.
    allowOwner(cursor.here);
    using held = cursor.hold(name);
    if (fstatSync(held.fd).isDirectory()) allowOwner(held.path);
    renameSync(at, to);
  }
}

/** `held` is `/proc/self/fd/N`: the folder's name may be that of a link a moment later. */
const allowOwner = (held: string): void => chmodSync(held, (statSync(held).mode & 0o7777) | 0o700);

/** On an error part of it may have been copied already, and is nowhere else any more. */
function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch (error) {
    if (errnoOf(error) !== "ENOTEMPTY") throw error;
  }
}

/** Both folders are held: paths may be longer than the kernel takes. Throws `ELOOP` where it is too deep; what was copied by then has been moved. */
function copyAcross(from: string, to: string, depthLeft: number): void {
  const stats = lstatSync(from);
  if (stats.isSymbolicLink()) symlinkSync(readlinkSync(from), to);
  else if (stats.isFile()) copyHeld(from, to);
  else if (stats.isDirectory()) {
    if (depthLeft === 0) throw systemFault("ELOOP");
    mkdirSync(to, { mode: 0o700 });
    using folders = new DisposableStack();
    const [source, target] = [from, to].map((path) => {
      const fd = openSync(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
      return `/proc/self/fd/${folders.adopt(fd, closeSync)}`;
    });
    for (const name of readdirSync(source as string))
      copyAcross(`${source}/${name}`, `${target}/${name}`, depthLeft - 1);
    rmdirSync(from);
    return;
  }
  unlinkSync(from);
}

function copyHeld(from: string, to: string): void {
  const fd = openSync(from, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const stats = fstatSync(fd);
    // A program has put a pipe in its place by now, and the gate would wait for somebody to write to it.
    if (!stats.isFile()) throw systemFault("ESTALE");
    if (stats.size <= LIMITS.heldBackBytes.maximum) copyFileSync(`/proc/self/fd/${fd}`, to);
  } finally {
    closeSync(fd);
  }
}

const systemFault = (code: string): Error => Object.assign(new Error(code), { code, syscall: "copy" });

/** The newest stay, as many as there is room for. */
async function forgetOldest(folder: string): Promise<void> {
  let [things, bytes] = [0, 0];
  // Whoever deletes the state directory meanwhile has deleted all of it.
  for (const name of existsSync(folder) ? readdirSync(folder).sort().reverse() : []) {
    const size = OWN_FOLDER.exec(name)?.[1];
    if (size === undefined) continue;
    things += 1;
    if (Number(size) <= LIMITS.heldBackBytes.maximum) bytes += Number(size);
    const isKept = Number(size) <= LIMITS.heldBackBytes.maximum && bytes <= LIMITS.heldBackBytes.maximum;
    if (!isKept || things > LIMITS.heldBackThings.maximum) await deleteTree(folder, name);
  }
}

/**
 * Only for folders that no program can reach: it goes up again by `..`. Paths in the tree may be longer than the kernel
 * takes, so each name is deleted in its own folder.
 */
async function deleteTree(folder: string, name: string): Promise<void> {
  try {
    using cursor = new Cursor();
    for (const each of folder.split("/").slice(1)) cursor.enter(each);
    const waiting: string[][] = [[name]];
    for (let deleted = 0; ; deleted++) {
      const names = waiting.at(-1) as string[];
      const next = names.at(-1);
      if (deleted % DELETED_AT_ONCE === 0) await turn();
      if (next === undefined) {
        waiting.pop();
        const above = waiting.at(-1);
        if (above === undefined) return;
        cursor.leave();
        rmdirSync(cursor.at(above.pop() as string));
        continue;
      }
      if (lstatSync(cursor.at(next)).isDirectory()) {
        cursor.enter(next);
        allowOwner(cursor.here);
        waiting.push(readdirSync(cursor.here));
      } else {
        unlinkSync(cursor.at(next));
        names.pop();
      }
    }
  } catch (error) {
    if (errnoOf(error) === undefined) throw error; // another gate on this state directory is at it, too
  }
}
