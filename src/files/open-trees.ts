import {
  type BigIntStats,
  closeSync,
  type Dirent,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmdirSync,
  unlinkSync,
} from "node:fs";
import type { Placeholder, TreeEntry, Trees } from "../ports/trees.ts";

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
  place: (path, kind) => place(path, kind, MODE),
  unplace,
  make: (path) => place(path, "file", 0o666),
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

/** The mode by which leftovers of a gate that was killed are known again: nobody else makes such files. */
const MODE = 0o000;
const isOurs = ({ mode, size }: BigIntStats): boolean => (mode & 0o777n) === BigInt(MODE) && size === 0n;

function place(path: string, kind: Placeholder["kind"], mode: number): Placeholder | null {
  try {
    if (kind === "directory") mkdirSync(path, { mode: 0o555 });
    else closeSync(openSync(path, "wx", mode));
    const stats = lstatSync(path, { bigint: true });
    return { path, kind, dev: stats.dev, ino: stats.ino };
  } catch {
    return null;
  }
}

function unplace({ path, kind, dev, ino }: Placeholder): void {
  const stats = statsOf(path);
  if (stats === null || stats.dev !== dev || stats.ino !== ino) return;
  try {
    if (kind === "directory") rmdirSync(path);
    else if (isOurs(stats)) unlinkSync(path);
  } catch {
    // Not empty any more, so it is not ours any more.
  }
}
