import { closeSync, constants, lstatSync, mkdirSync, openSync, renameSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { isSystemError } from "../system-error.ts";

/** Nothing else of this process goes on while SQLite waits. */
const BUSY_MS = 5;

const SCHEMA =
  "CREATE TABLE IF NOT EXISTS outcomes (call_id TEXT PRIMARY KEY, kept TEXT NOT NULL) STRICT, WITHOUT ROWID";

/** Other users of the machine can't read it: SQLite gives its side files the mode of the database. */
export function openOutcomes(path: string): DatabaseSync {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) closeSync(openSync(path, NEW_FILE, 0o600));
  else if (!found.isFile()) throw new Error("`outcomes.db` is a link, or something else that toolgate does not make");
  const db = new DatabaseSync(path, { timeout: BUSY_MS });
  try {
    db.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; PRAGMA trusted_schema = OFF");
    db.enableDefensive(true);
    db.exec(SCHEMA);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Another process may make it at the same time; a link that comes in between is not followed. */
const NEW_FILE = constants.O_WRONLY | constants.O_CREAT | constants.O_NOFOLLOW;

const SQLITE_BUSY = 5;
const SQLITE_CORRUPT = 11;
const SQLITE_NOTADB = 26;

export const isBusy = (error: unknown): boolean => codeOf(error) === SQLITE_BUSY;

export const isBroken = (error: unknown): boolean =>
  codeOf(error) === SQLITE_CORRUPT || codeOf(error) === SQLITE_NOTADB;

/** Without what makes it an extended one. Zero: it is nothing of SQLite's. */
const codeOf = (error: unknown): number => Number((error as { readonly errcode?: unknown }).errcode ?? 0) & 0xff;

/** So that the next one is a new one, without the leftovers of this one. False: it can't be moved. */
export function setAside(path: string): boolean {
  try {
    for (const suffix of ["-wal", "-shm", ""]) {
      const file = path + suffix;
      if (lstatSync(file, { throwIfNoEntry: false }) !== undefined) renameSync(file, `${file}.broken`);
    }
    return true;
  } catch (error) {
    if (!isSystemError(error)) throw error;
    return false;
  }
}
