import { accessSync, constants, lstatSync, realpathSync, statSync } from "node:fs";
import { realpath, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { isWithin } from "../domain/is-within.ts";
import type { Programs } from "../ports/programs.ts";

export interface ProgramsOptions {
  /** The folders of the operator's PATH as it was at the start. */
  readonly searchPath: readonly string[];
  /** More folders, absolute, looked into after those of PATH. */
  readonly toolchains: readonly string[];
  /** What tools may write to: nothing in there is a toolchain, whatever PATH says. */
  readonly writable: readonly string[];
}

/** The programs of this machine. A folder that tools, or everybody, can write to is no toolchain. */
export function openPrograms({ searchPath, toolchains, writable }: ProgramsOptions): Programs {
  const wanted = [...searchPath, ...toolchains];
  const isClosed = (real: string): boolean => !writable.some((folder) => isWithin(real, folder));
  let found: Promise<readonly string[]> | null = null;
  const roots = (): Promise<readonly string[]> => {
    found ??= rootsOf(wanted, isClosed);
    return found;
  };
  return {
    resolve: async (word, cwd) => {
      if (word === "" || word.includes("\0")) return null;
      const all = await roots();
      const candidates = word.includes("/") ? [resolve(cwd, word)] : all.map((root) => join(root, word));
      for (const candidate of candidates) {
        const real = executableAt(candidate);
        if (real !== null) return { path: real, named: candidate, toolchain: await isToolchain(real, all, isClosed) };
      }
      return null;
    },
  };
}

async function rootsOf(wanted: readonly string[], isClosed: (real: string) => boolean): Promise<readonly string[]> {
  const roots = new Set<string>();
  for (const folder of wanted) {
    const real = await realFolder(folder);
    if (real !== null && isClosed(real)) roots.add(real);
  }
  return [...roots];
}

const WRITABLE_BY_ALL = 0o002;

/** Null = there is none, or anybody may put programs there. */
async function realFolder(folder: string): Promise<string | null> {
  try {
    const real = await realpath(folder);
    const stats = await stat(real);
    return stats.isDirectory() && (stats.mode & WRITABLE_BY_ALL) === 0 ? real : null;
  } catch {
    return null;
  }
}

/** On this thread: a look into each folder of PATH takes microseconds, and the way to another thread and back a hundred. */
function executableAt(path: string): string | null {
  try {
    if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return null;
    const real = realpathSync.native(path);
    accessSync(real, constants.X_OK);
    return lstatSync(real).isFile() ? real : null;
  } catch {
    return null;
  }
}

/** A link out of a root may lead anywhere, such as into a package that the root's own tools installed: where it ends counts. */
async function isToolchain(
  real: string,
  roots: readonly string[],
  isClosed: (real: string) => boolean,
): Promise<boolean> {
  if (!isClosed(real)) return false;
  const folder = dirname(real);
  if (roots.includes(folder)) return true;
  // `/usr/bin/npm` leads to `/usr/lib/node_modules/npm/bin`: beside the root, below the same prefix.
  if (!roots.some((root) => isWithin(folder, dirname(root)) && dirname(root) !== "/")) return false;
  return (await realFolder(folder)) !== null;
}
