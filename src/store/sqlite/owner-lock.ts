import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { sqliteFault } from "./sqlite-fault.ts";

/**
 * How other processes see that the owner of a call lives: it holds a lock on a file of its own, which the kernel lets
 * go when the process ends, however it ends. Process ids would not do: they are reused, and differ between containers
 * that share a state directory. SQLite's lock is used because Node has none of its own.
 */
export interface OwnerLock {
  readonly release: () => void;
}

const folder = (stateDir: string): string => join(stateDir, "owners");
const fileOf = (stateDir: string, owner: string): string => join(folder(stateDir), `${owner}.lock`);

export function takeOwnerLock(stateDir: string, owner: string): OwnerLock {
  mkdirSync(folder(stateDir), { recursive: true, mode: 0o700 });
  const path = fileOf(stateDir, owner);
  const db = new DatabaseSync(`${path}.new`, { timeout: 0 });
  db.exec("BEGIN EXCLUSIVE");
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
  const path = fileOf(stateDir, owner);
  if (!existsSync(path)) return false;
  try {
    const db = new DatabaseSync(path, { timeout: 0 });
    try {
      db.exec("BEGIN EXCLUSIVE");
      return false;
    } finally {
      db.close();
    }
  } catch (error) {
    // Only a held lock proves life; any other trouble means we don't know, and then we leave the owner's calls alone.
    return sqliteFault(error) !== "corrupt";
  }
}

/** Removes the lock files of owners that are gone. */
export function sweepOwners(stateDir: string): void {
  for (const name of readdirSync(folder(stateDir))) {
    if (!name.endsWith(".lock")) continue;
    const owner = name.slice(0, -".lock".length);
    if (!isOwnerAlive(stateDir, owner)) rmSync(join(folder(stateDir), name), { force: true });
  }
}
