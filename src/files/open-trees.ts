import { type BigIntStats, closeSync, type Dirent, lstatSync, openSync, readdirSync, unlinkSync } from "node:fs";
import type { MadeFile, TreeEntry, Trees } from "../ports/trees.ts";
import { inHeldFolder, type Spot } from "./in-held-folder.ts";
import { placeFile, textPlacedAt, unplaceFile } from "./placeholder-file.ts";
import { codeOf, place, placeAround, sweepDrafts, unplace } from "./placeholders.ts";

/** The folders of this machine, by name: what is found is compared with what is mounted before a program starts. */
export const openTrees = (): Trees => ({
  stamp: (folder) => {
    const stats = statsOf(folder);
    // Not the time of the last change of names: a program could set it back, and what came to be meanwhile would be passed over.
    return stats?.isDirectory() === true ? stats.ctimeNs : null;
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
  place: (path) => {
    const text = textPlacedAt(path);
    return text === null ? place(path) : placeFile(path, text);
  },
  placeAround,
  sweep: sweepDrafts,
  unplace: (placed) => (placed.claims === undefined ? unplace(placed) : unplaceFile(placed)),
  make: (path) => inHeldFolder(path, make),
  unmake: (made) => void inHeldFolder(made.path, (spot) => unmake(spot, made)),
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

function make({ path, at }: Spot): MadeFile | null {
  try {
    closeSync(openSync(at, "wx", 0o666));
    const { dev, ino } = lstatSync(at, { bigint: true });
    return { path, dev, ino };
  } catch {
    return null;
  }
}

function unmake({ at }: Spot, { dev, ino }: MadeFile): void {
  const stats = statsOf(at);
  if (stats === null || stats.dev !== dev || stats.ino !== ino || stats.size > 0n) return;
  // A program that wrote nothing on purpose has set the time all the same.
  if (stats.mtimeNs === stats.birthtimeNs) codeOf(() => unlinkSync(at));
}
