import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import { journalFile, openDatabase } from "../../src/store/sqlite/open-database.ts";
import { lineOf, readRows } from "../../src/store/sqlite/segment.ts";
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
  readonly started: readonly string[];
  readonly ended: string;
}

/** The rows are those of real calls, made beforehand: same texts, same hashes, same ids. */
export async function openBareCommits(
  scratch: Scratch,
  calls: number,
  durability: "full" | "normal" = "full",
): Promise<BareCommits> {
  const rows = await rowsOfRealCalls(scratch, calls);
  const stateDir = scratch.makeFolder("bare");
  const opened = openDatabase(stateDir);
  if (opened.kind === "refused") throw new Error(opened.refusal.message);
  const { db } = opened;
  // SQLite's own way to be power-safe: one sync of the log a commit.
  if (durability === "full") db.exec("PRAGMA synchronous = FULL");
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
  const addEntries = db.prepare("INSERT INTO segments (first_seq, lines) VALUES (?, ?)");
  const addCall = db.prepare(
    "INSERT INTO calls (call_id, state, origin, tool, first_seq, last_seq) VALUES (?, 3, ?, ?, ?, ?)",
  );
  const endCall = db.prepare("UPDATE calls SET state = 11, last_seq = ? WHERE call_id = ? AND state = 3");
  let seq = 0;
  const addAll = (lines: readonly string[]) => {
    addEntries.run(seq + 1, lines.join("\n"));
    seq += lines.length;
  };
  return (calls) => {
    begin.run();
    for (const { row } of calls) addCall.run(...row);
    addAll(calls.flatMap(({ started }) => started));
    commit.run();
    begin.run();
    for (const { row } of calls) endCall.run(row.at(-1) ?? null, row[0] ?? null);
    addAll(calls.map(({ ended }) => ended));
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
    const ofCalls = db.prepare("SELECT call_id, origin, tool, first_seq, last_seq FROM calls ORDER BY first_seq");
    const lines = [...readRows(db, 1, Number.MAX_SAFE_INTEGER)].map(([, hash, text]) => lineOf(hash, text));
    return (ofCalls.all() as unknown as readonly (readonly SQLInputValue[])[]).map((row) => {
      const [firstSeq = 0, lastSeq = 0] = row.slice(-2).map(Number);
      return { row, started: lines.slice(firstSeq - 1, lastSeq - 1), ended: lines[lastSeq - 1] ?? "" };
    });
  } finally {
    db.close();
  }
}
