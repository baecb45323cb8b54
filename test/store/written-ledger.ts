import { cpSync } from "node:fs";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import type { Digest } from "../../src/domain/digest.ts";
import { entryFromText, GENESIS_HASH, sealEntry } from "../../src/ledger/chain.ts";
import type { Finding } from "../../src/ledger/finding.ts";
import { defineTool } from "../../src/tools/function/define-tool.ts";
import { openScratchGate } from "../support/scratch-gate.ts";
import { outsider, verify } from "./state-dir.ts";

export interface StoredRow {
  readonly seq: number;
  readonly hash: Uint8Array;
  readonly text: string;
}

/** A ledger that a real gate wrote, and somebody with a SQLite client who can change everything in it. */
export interface WrittenLedger extends AsyncDisposable {
  readonly stateDir: string;
  /** The state directory as the gate left it, closed: a copy of the one that is in use may lack what is in its log. */
  readonly untouched: string;
  readonly rows: readonly StoredRow[];
  /** By number, from 1. */
  readonly row: (seq: number) => StoredRow;
  /** What verification finds first while the harm lasts; then everything is put back. */
  readonly foundAfter: (harm: (db: DatabaseSync) => void) => Promise<Finding | string | null>;
  /** The same for one row, put back faster. */
  readonly foundWith: (
    row: StoredRow | { seq: number; hash: Uint8Array; bytes: Uint8Array },
  ) => Promise<Finding | string | null>;
}

const ENTRIES_PER_CALL = 4;
const count = defineTool({
  name: "count",
  description: "counts",
  inputSchema: { type: "object" },
  execute: () => "one",
});

/** So many entries, four a call, with a checkpoint after each of `signedAt` and after the last. */
export async function writeLedgerByGate(entries: number, signedAt: readonly number[] = []): Promise<WrittenLedger> {
  const rules = [{ id: "count", effect: "allow", touch: { unknown: true } }] as const;
  const scratch = openScratchGate({ tools: [count], rules });
  const { stateDir, gate } = scratch;
  const untouched = join(scratch.folder, "untouched");
  for (let size = ENTRIES_PER_CALL; size <= entries; size += ENTRIES_PER_CALL) {
    const { kind } = await gate.call({ tool: "count", input: { size } });
    if (kind !== "completed") throw new Error(`the call was ${kind}`);
    if (signedAt.includes(size)) await gate.ledger.checkpoint();
  }
  await gate.close();
  cpSync(stateDir, untouched, { recursive: true });

  const db = outsider(stateDir);
  const rows = readRows(db);
  if (rows.length !== entries) throw new Error(`${rows.length} entries instead of ${entries}`);
  db.exec(
    "ATTACH ':memory:' AS kept; CREATE TABLE kept.entries AS SELECT * FROM main.entries; CREATE TABLE kept.checkpoints AS SELECT * FROM main.checkpoints",
  );
  const change = db.prepare("UPDATE main.entries SET hash = ?, text = CAST(? AS TEXT) WHERE seq = ?");
  return {
    stateDir,
    untouched,
    rows,
    row: (seq) => rows[seq - 1] as StoredRow,
    foundAfter: async (harm) => {
      inTransaction(db, () => harm(db));
      const found = await firstFinding(stateDir);
      inTransaction(db, () => {
        for (const table of ["entries", "checkpoints"]) {
          db.exec(`DELETE FROM main.${table}; INSERT INTO main.${table} SELECT * FROM kept.${table}`);
        }
      });
      return found;
    },
    foundWith: async (row) => {
      const { hash, text } = rows[row.seq - 1] as StoredRow;
      change.run(row.hash, "bytes" in row ? row.bytes : Buffer.from(row.text), row.seq);
      const found = await firstFinding(stateDir);
      change.run(hash, Buffer.from(text), row.seq);
      return found;
    },
    [Symbol.asyncDispose]: async () => {
      db.close();
      await scratch[Symbol.asyncDispose]();
    },
  };
}

/** The first thing that `verifyLedger` names; a text where it can't read the ledger, null where it finds nothing. */
export async function firstFinding(stateDir: string): Promise<Finding | string | null> {
  const verified = await verify(stateDir);
  return verified.kind === "unreadable" ? verified.reason : verified.report.firstFinding;
}

/** The entry that a finding names. */
export function namedBy(found: Finding | string | null): number | null {
  if (found === null || typeof found === "string") return null;
  if ("seq" in found) return found.seq;
  return found.kind === "truncated" ? found.found + 1 : null;
}

/** An entry that fits behind another one, but that the gate never wrote. */
export function forgedAt(seq: number, ledger: Pick<WrittenLedger, "row">): StoredRow {
  const prev = seq === 1 ? GENESIS_HASH : (Buffer.from(ledger.row(seq - 1).hash).toString("hex") as Digest);
  const template = entryFromText(ledger.row(Math.max(1, seq - 1)).text, GENESIS_HASH);
  const { hash, text } = sealEntry({ ...template, actor: "mallory" }, seq, prev);
  return { seq, hash: Buffer.from(hash, "hex"), text };
}

/** The chain from entry `from` on with another actor in it, sealed anew: the work of somebody who knows the format. */
export function rebuiltFrom(from: number, rows: readonly StoredRow[]): readonly StoredRow[] {
  let prev = from === 1 ? GENESIS_HASH : (Buffer.from((rows[from - 2] as StoredRow).hash).toString("hex") as Digest);
  return rows.slice(from - 1).map(({ seq, text }) => {
    const entry = entryFromText(text, GENESIS_HASH);
    const sealed = sealEntry(seq === from ? { ...entry, actor: "mallory" } : entry, seq, prev);
    prev = sealed.hash;
    return { seq, hash: Buffer.from(sealed.hash, "hex"), text: sealed.text };
  });
}

export function put(db: DatabaseSync, rows: readonly StoredRow[]): void {
  const insert = db.prepare("INSERT OR REPLACE INTO main.entries (seq, hash, text) VALUES (?, ?, ?)");
  for (const { seq, hash, text } of rows) insert.run(seq, hash, text);
}

/** Moves the entries from `seq` on by one place, up or down. */
export function shift(db: DatabaseSync, seq: number, by: 1 | -1): void {
  db.exec(
    `UPDATE main.entries SET seq = -(seq + ${by}) WHERE seq >= ${seq}; UPDATE main.entries SET seq = -seq WHERE seq < 0`,
  );
}

function readRows(db: DatabaseSync): readonly StoredRow[] {
  const rows = db.prepare("SELECT seq, hash, text FROM entries ORDER BY seq").all();
  return rows.map((row) => ({ seq: Number(row["seq"]), hash: row["hash"] as Uint8Array, text: String(row["text"]) }));
}

function inTransaction(db: DatabaseSync, change: () => void): void {
  db.exec("BEGIN IMMEDIATE");
  change();
  db.exec("COMMIT");
}
