import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import { journalFile, openDatabase } from "../../src/store/sqlite/open-database.ts";
import { openGoverned } from "./governed.ts";
import { oneByOne } from "./in-flight.ts";
import type { Scratch } from "./scratch.ts";

/** The two transactions that governed calls can't do without, and nothing else. */
export interface BareCommits {
  /** Writes the rows of the next calls, all of them within two transactions. */
  readonly calls: (count: number) => void;
  readonly close: () => void;
}

/** The rows of one call: three entries and its row, then an entry and the row's new state. */
interface CallRows {
  readonly row: readonly SQLInputValue[];
  readonly started: readonly (readonly SQLInputValue[])[];
  readonly ended: readonly SQLInputValue[];
}

/** The rows are those of real calls, made beforehand: same texts, same hashes, same ids. */
export async function openBareCommits(scratch: Scratch, calls: number): Promise<BareCommits> {
  const rows = await rowsOfRealCalls(scratch, calls);
  const opened = openDatabase(scratch.makeFolder("bare"), "full");
  if (opened.kind === "refused") throw new Error(opened.refusal.message);
  const { db } = opened;
  const write = writerOf(db);
  let next = 0;
  return {
    calls: (count) => {
      write(rows.slice(next, next + count));
      next += count;
    },
    close: () => db.close(),
  };
}

function writerOf(db: DatabaseSync): (calls: readonly CallRows[]) => void {
  const begin = db.prepare("BEGIN IMMEDIATE");
  const commit = db.prepare("COMMIT");
  const addEntry = db.prepare("INSERT INTO entries (seq, hash, text) VALUES (?, ?, ?)");
  const addCall = db.prepare("INSERT INTO calls VALUES (?, 'executing', ?, ?, ?, ?, ?, ?, ?, ?)");
  const endCall = db.prepare("UPDATE calls SET state = 'completed', last_seq = ? WHERE call_id = ?");
  return (calls) => {
    begin.run();
    for (const { row, started } of calls) {
      addCall.run(...row);
      for (const entry of started) addEntry.run(...entry);
    }
    commit.run();
    begin.run();
    for (const { row, ended } of calls) {
      endCall.run(ended[0] ?? null, row[0] ?? null);
      addEntry.run(...ended);
    }
    commit.run();
  };
}

async function rowsOfRealCalls(scratch: Scratch, calls: number): Promise<readonly CallRows[]> {
  const stateDir = scratch.makeFolder("rows");
  const governed = openGoverned(scratch, { ledger: { stateDir, durability: "normal" } });
  await oneByOne(calls, governed.call);
  await governed.close();
  const db = new DatabaseSync(journalFile(stateDir), { readOnly: true, returnArrays: true });
  try {
    const entries = db.prepare("SELECT seq, hash, text FROM entries WHERE seq BETWEEN ? AND ? ORDER BY seq");
    const ofCalls = db.prepare(
      "SELECT call_id, project, session_id, owner, host, tool, caller, first_seq, last_seq FROM calls ORDER BY first_seq",
    );
    return arrays(ofCalls.all()).map((row) => {
      const [firstSeq = 0, lastSeq = 0] = row.slice(-2);
      const all = arrays(entries.all(firstSeq, lastSeq));
      return { row, started: all.slice(0, -1), ended: all.at(-1) ?? [] };
    });
  } finally {
    db.close();
  }
}

/** What `returnArrays` gives: its type tells of objects. */
const arrays = (rows: readonly unknown[]): readonly (readonly SQLInputValue[])[] =>
  rows as readonly (readonly SQLInputValue[])[];
