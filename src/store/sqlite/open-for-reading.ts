import { accessSync, constants, statSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { isSystemError } from "../system-error.ts";

const WAIT_MS = 1000;

/**
 * A connection that only reads. SQLite wants to write beside what it reads, to see what others do; where nobody can write, as on
 * a copy that an auditor was given, nobody does, and the file is read as it stands.
 */
export function openForReading(path: string): DatabaseSync {
  const db = new DatabaseSync(path, { readOnly: true, timeout: WAIT_MS });
  try {
    db.prepare("PRAGMA user_version").get();
    return db;
  } catch (error) {
    db.close();
    // INVARIANT (all of it): what is still in the log would be missing.
    if (isWritable(dirname(path)) || hasLog(path)) throw error;
    const asItStands = pathToFileURL(path);
    asItStands.searchParams.set("immutable", "1");
    return new DatabaseSync(asItStands, { readOnly: true });
  }
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch (error) {
    if (!isSystemError(error)) throw error;
    return false;
  }
}

const hasLog = (path: string): boolean => (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
