import { cpSync, existsSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { journalFile } from "../../src/store/sqlite/open-database.ts";
import { stateFromCode } from "../../src/store/sqlite/state-code.ts";
import { type Verified, verifyLedger } from "../../src/store/sqlite/verify-ledger.ts";
import { withEntries } from "./entries-table.ts";

/** A folder with a state directory in it, removed at the end. */
export interface Scratch extends Disposable {
  readonly folder: string;
  readonly stateDir: string;
}

export function openScratch(parent = tmpdir()): Scratch {
  const folder = realpathSync(mkdtempSync(join(parent, "toolgate-store-")));
  return {
    folder,
    stateDir: join(folder, "state"),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** The same state directory at another place, to do harm to. Nobody may have the original open. */
export function copyOf(stateDir: string): Scratch {
  const scratch = openScratch();
  cpSync(stateDir, scratch.stateDir, { recursive: true });
  return scratch;
}

/** Somebody with a SQLite client: a connection of their own, beside the gate's. */
export function outsider(stateDir: string): DatabaseSync {
  const db = new DatabaseSync(journalFile(stateDir), { timeout: 1000 });
  db.exec("PRAGMA synchronous = OFF");
  return db;
}

/** Runs SQL as an outsider. */
export function meddle(stateDir: string, sql: string): void {
  const db = outsider(stateDir);
  try {
    db.exec(sql);
  } finally {
    db.close();
  }
}

/** The same on a table `entries (seq, hash, text)`, which then becomes segments of so many lines. */
export function meddleWithEntries(stateDir: string, sql: string, linesPerSegment = 1): void {
  const db = outsider(stateDir);
  try {
    withEntries(db, () => db.exec(sql), linesPerSegment);
  } finally {
    db.close();
  }
}

export interface CallRow {
  readonly callId: string;
  readonly state: string;
  readonly owner: string;
}

export function callRows(stateDir: string): readonly CallRow[] {
  if (!existsSync(journalFile(stateDir))) return [];
  const db = new DatabaseSync(journalFile(stateDir), { readOnly: true, timeout: 1000 });
  try {
    const rows = db
      .prepare("SELECT call_id, state, owner FROM calls JOIN origins ON id = origin ORDER BY first_seq, call_id")
      .all();
    return rows.map((row) => ({
      callId: String(row["call_id"]),
      state: stateFromCode(row["state"]),
      owner: String(row["owner"]),
    }));
  } finally {
    db.close();
  }
}

export const statesOf = (stateDir: string): Record<string, string> =>
  Object.fromEntries(callRows(stateDir).map(({ callId, state }) => [callId, state]));

export const verify = (stateDir: string): Promise<Verified> => verifyLedger({ stateDir, threads: 1 });

/** The report of a ledger that can be read. */
export async function reportOn(stateDir: string) {
  const verified = await verify(stateDir);
  if (verified.kind === "unreadable") throw new Error(verified.reason);
  return verified.report;
}

export const isReported = (verified: Verified): boolean => verified.kind === "unreadable" || !verified.report.ok;
