import { randomBytes } from "node:crypto";
import {
  type BigIntStats,
  closeSync,
  type Dirent,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmdirSync,
  unlinkSync,
} from "node:fs";
import { join } from "node:path";
import type { PlacedFolder, Placeholder, TreeEntry, Trees } from "../ports/trees.ts";

/** The folders of this machine, by name: what is found is compared with what is mounted before a program starts. */
export const openTrees = (): Trees => ({
  stamp: (folder) => {
    const stats = statsOf(folder);
    return stats?.isDirectory() === true ? stats.mtimeNs : null;
  },
  entries: (folder) => {
    try {
      return readdirSync(folder, { withFileTypes: true }).map((entry) => ({ name: entry.name, kind: kindFrom(entry) }));
    } catch {
      return [];
    }
  },
  kindOf: (path) => {
    const stats = statsOf(path);
    return stats === null ? "absent" : kindFrom(stats);
  },
  place: placedFolder,
  unplace: leaveFolder,
  make: (path) => placed(path, () => closeSync(openSync(path, "wx", 0o666))),
  unmake: ({ path, dev, ino }) => {
    const stats = statsOf(path);
    if (stats === null || stats.dev !== dev || stats.ino !== ino || stats.size > 0n) return;
    // A program that wrote nothing on purpose has set the time all the same.
    if (stats.mtimeNs === stats.birthtimeNs) unlinkSync(path);
  },
});

const statsOf = (path: string): BigIntStats | null => {
  try {
    return lstatSync(path, { bigint: true });
  } catch {
    return null;
  }
};

function kindFrom(entry: Dirent | BigIntStats): TreeEntry["kind"] {
  if (entry.isFile()) return "file";
  if (entry.isDirectory()) return "directory";
  return entry.isSymbolicLink() ? "link" : "other";
}

function placed(path: string, make: () => void): Placeholder | null {
  try {
    make();
    const { dev, ino } = lstatSync(path, { bigint: true });
    return { path, dev, ino };
  } catch {
    return null;
  }
}

const MARKER = /^\.toolgate-[0-9a-f]{16}$/;
const TRIES = 20;

/**
 * INVARIANT (held open): the folder is there while any call needs it. What is removed here is gone from every sandbox that
 * has mounted something over it, so each call that relies on it has a marker in it, and no folder with one can be removed.
 */
function placedFolder(path: string): PlacedFolder | null {
  const marker = `.toolgate-${randomBytes(8).toString("hex")}`;
  for (let n = 0; n < TRIES; n++) {
    const stats = statsOf(path);
    if (stats === null) {
      if (madeWithMarker(path, marker)) return { path, marker };
      continue;
    }
    if (!stats.isDirectory() || !isPlaced(path)) return null;
    // Gone meanwhile with its last marker, if it can't be made.
    if (isMade(join(path, marker))) return { path, marker };
  }
  return null;
}

/** In one step with its marker: nobody sees it without. */
function madeWithMarker(path: string, marker: string): boolean {
  const folder = `${path}${marker}`;
  if (!isMade(folder)) return false;
  try {
    mkdirSync(join(folder, marker));
    renameSync(folder, path);
    return true;
  } catch {
    for (const one of [join(folder, marker), folder]) removeEmpty(one);
    return false;
  }
}

function isMade(folder: string): boolean {
  try {
    mkdirSync(folder);
    return true;
  } catch {
    return false;
  }
}

/** A folder with nothing but markers in it; one of somebody's own has none. */
function isPlaced(path: string): boolean {
  try {
    const names = readdirSync(path);
    return names.length > 0 && names.every((name) => MARKER.test(name));
  } catch {
    return true; // it has just gone: look again
  }
}

function leaveFolder({ path, marker }: PlacedFolder): void {
  if (removeEmpty(join(path, marker))) removeEmpty(path);
}

function removeEmpty(folder: string): boolean {
  try {
    rmdirSync(folder);
    return true;
  } catch {
    return false; // not empty, so that somebody else has it
  }
}
