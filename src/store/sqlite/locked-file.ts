import { closeSync, constants, lstatSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Clock } from "../../ports/clock.ts";
import { reasonOf, sqliteFault } from "./sqlite-fault.ts";
import { whileBusy } from "./while-busy.ts";

/**
 * Locked until it is closed, or until the process ends, however it ends: SQLite's lock is used because Node has none of
 * its own. Throws what SQLite throws where another process holds the lock.
 */
export function lockedFile(path: string): DatabaseSync {
  const db = new DatabaseSync(path, { timeout: 0 });
  try {
    // Nothing is ever written, so nothing is to be rolled back: a journal on the disk would only outlive a killed owner.
    db.exec("PRAGMA journal_mode = MEMORY");
    db.exec("BEGIN EXCLUSIVE");
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

export type WhileLocked<T> =
  | { readonly ok: true; readonly value: T }
  /** Not done: the lock was not to be had in time, or not at all. */
  | { readonly ok: false; readonly reason: string };

/** Does something that no other process does at the same time. Waits for its turn, for a bounded time. */
export async function whileLocked<T>(
  path: string,
  clock: Clock,
  action: () => T | Promise<T>,
): Promise<WhileLocked<T>> {
  let lock: DatabaseSync;
  try {
    if (!isOwnFile(path)) return { ok: false, reason: "its lock is no file of ours" };
    lock = await whileBusy(clock, () => lockedFile(path));
  } catch (error) {
    return { ok: false, reason: sqliteFault(error) === "busy" ? "another process is at it" : reasonOf(error) };
  }
  try {
    return { ok: true, value: await action() };
  } finally {
    lock.close();
  }
}

/** Made where there is none. SQLite would follow a link that came with a repository, and make what it leads to. */
function isOwnFile(path: string): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats !== undefined) return stats.isFile();
  const { O_CREAT, O_NOFOLLOW, O_WRONLY } = constants;
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  // Closing lets go of this process' locks on the file (`man 2 fcntl`), and of a file that was not there it has none.
  closeSync(openSync(path, O_WRONLY | O_CREAT | O_NOFOLLOW, 0o600));
  return true;
}
