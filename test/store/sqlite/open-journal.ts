import { readFileSync } from "node:fs";
import type { Entry } from "../../../src/domain/entry.ts";
import type { Journal } from "../../../src/ports/journal.ts";
import type { ConnectionOptions } from "../../../src/store/sqlite/connection.ts";
import { SqliteJournal } from "../../../src/store/sqlite/journal.ts";
import { LedgerReader } from "../../../src/store/sqlite/ledger-reader.ts";
import { journalFile } from "../../../src/store/sqlite/open-database.ts";
import { systemClock } from "../../../src/wiring/system-clock.ts";
import { bring } from "../changes.ts";
import type { StoreUnderTest } from "../journal-contract.ts";
import { isReported, openScratch, statesOf, verify } from "../state-dir.ts";

type Choices = Partial<ConnectionOptions>;

export const openJournal = (stateDir: string, choices: Choices = {}): SqliteJournal & AsyncDisposable => {
  const journal = new SqliteJournal({ stateDir, durability: "full", owner: "owner_a", clock: systemClock, ...choices });
  return Object.assign(journal, { [Symbol.asyncDispose]: () => journal.close() });
};

/** A journal with so many calls of two entries each, closed again, so under a checkpoint. */
export async function writeLedger(stateDir: string, calls: number, choices: Choices = {}): Promise<void> {
  await using journal = openJournal(stateDir, choices);
  for (let n = 1; n <= calls; n++) await bring(journal, `c${n}`, "completed");
}

/** Null: there is no ledger. */
export function readWith<T>(stateDir: string, read: (reader: LedgerReader) => T): T | null {
  const reader = LedgerReader.open(stateDir);
  try {
    return reader && read(reader);
  } finally {
    reader?.close();
  }
}

export const readEntries = (stateDir: string): readonly Entry[] =>
  readWith(stateDir, (reader) => [...reader.entries({ from: 1, to: Number.MAX_SAFE_INTEGER })]) ?? [];

/** SQLite in a scratch directory, as the contract wants to see it. */
export async function openSqliteStore(durability: "full" | "normal"): Promise<StoreUnderTest> {
  const scratch = openScratch();
  const { stateDir } = scratch;
  const journals: Journal[] = [];
  const another = (): Journal => {
    const journal = openJournal(stateDir, { durability, owner: `owner_${journals.length}` });
    journals.push(journal);
    return journal;
  };
  return {
    journal: another(),
    another,
    entries: async () => readEntries(stateDir),
    states: async () => statesOf(stateDir),
    isSound: async () => !isReported(await verify(stateDir)),
    transactions: async () => commitsInLog(stateDir),
    [Symbol.asyncDispose]: async () => {
      for (const journal of journals) await journal.close();
      scratch[Symbol.dispose]();
    },
  };
}

const HEADER_BYTES = 32;
const FRAME_BYTES = 24 + 4096;
const SALT_BYTES = 8;

/**
 * sqlite.org/fileformat2.html, 4.1: a frame whose second word is not zero ends a transaction; a frame whose salt is not
 * the header's is left over from before the log was last begun anew. (Unlike the database, the log may be opened
 * beside SQLite: no locks are on it.)
 */
function commitsInLog(stateDir: string): number {
  const log = readFileSync(`${journalFile(stateDir)}-wal`);
  const salt = log.subarray(16, 16 + SALT_BYTES);
  let commits = 0;
  for (let at = HEADER_BYTES; at + FRAME_BYTES <= log.length; at += FRAME_BYTES) {
    const isCurrent = log.subarray(at + 8, at + 8 + SALT_BYTES).equals(salt);
    if (isCurrent && log.readUInt32BE(at + 4) !== 0) commits += 1;
  }
  return commits;
}
