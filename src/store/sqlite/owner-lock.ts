import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { lockedFile } from "./locked-file.ts";
import { sqliteFault } from "./sqlite-fault.ts";

/**
 * How other processes see that the owner of a call lives: it holds a lock on a file of its own, which the kernel lets
 * go when the process ends, however it ends. Process ids would not do: they are reused, and differ between containers
 * that share a state directory.
 */
export interface OwnerLock {
  readonly release: () => void;
}

/** As gates name themselves. What comes from the database or the folder and looks otherwise is nobody's. */
const OWNER = /^[A-Za-z0-9_-]{1,100}$/;

const folder = (stateDir: string): string => join(stateDir, "owners");
const fileOf = (stateDir: string, owner: string): string => join(folder(stateDir), `${owner}.lock`);

export function takeOwnerLock(stateDir: string, owner: string): OwnerLock {
  mkdirSync(folder(stateDir), { recursive: true, mode: 0o700 });
  const path = fileOf(stateDir, owner);
  const db = lockedFile(`${path}.new`);
  // INVARIANT (locked when seen): the file gets its name only once it is locked, so a free one is a dead owner's.
  renameSync(`${path}.new`, path);
  return {
    release: () => {
      rmSync(path, { force: true });
      db.close();
    },
  };
}

export function isOwnerAlive(stateDir: string, owner: string): boolean {
  if (!OWNER.test(owner)) return false;
  const path = fileOf(stateDir, owner);
  if (!existsSync(path)) return false;
  try {
    lockedFile(path).close();
    return false;
  } catch (error) {
    // Only a held lock proves life; any other trouble means we don't know, and then we leave the owner's calls alone.
    return sqliteFault(error) !== "corrupt";
  }
}

/** Removes the lock files of owners that are gone. */
export function sweepOwners(stateDir: string): void {
  if (!existsSync(folder(stateDir))) return;
  for (const name of readdirSync(folder(stateDir))) {
    const owner = name.slice(0, -".lock".length);
    if (!name.endsWith(".lock") || !OWNER.test(owner)) continue;
    if (!isOwnerAlive(stateDir, owner)) rmSync(join(folder(stateDir), name), { force: true });
  }
}
