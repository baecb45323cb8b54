import { cpSync } from "node:fs";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import type { Digest } from "../../src/domain/digest.ts";
import { entryFromText, GENESIS_HASH, sealEntry } from "../../src/ledger/chain.ts";
import type { Finding } from "../../src/ledger/finding.ts";
import { LedgerReader } from "../../src/store/sqlite/ledger-reader.ts";
import { verifyOpened } from "../../src/store/sqlite/verify-ledger.ts";
import { defineTool } from "../../src/tools/function/define-tool.ts";
import { openScratchGate } from "../support/scratch-gate.ts";
import {
  readRows,
  readSegments,
  type StoredRow,
  type StoredSegment,
  withEntries,
  writeSegments,
} from "./entries-table.ts";
import { outsider, verify } from "./state-dir.ts";

/** Where an entry lies in its segment, as bytes. */
export interface Place {
  readonly firstSeq: number;
  readonly segment: Buffer;
  readonly from: number;
  /** With the line's end, where another line follows. */
  readonly length: number;
}

/** A ledger that a real gate wrote, and somebody with a SQLite client who can change everything in it. */
export interface WrittenLedger extends AsyncDisposable {
  readonly stateDir: string;
  /** The state directory as the gate left it, closed: a copy of the one that is in use may lack what is in its log. */
  readonly untouched: string;
  readonly rows: readonly StoredRow[];
  /** By number, from 1. */
  readonly row: (seq: number) => StoredRow;
  readonly placeOf: (seq: number) => Place;
  /** What verification finds first while the harm lasts; then everything is put back. */
  readonly foundAfter: (harm: (db: DatabaseSync) => void) => Promise<Finding | string | null>;
  /** The same for harm to a table `entries`, of which segments of so many lines are made. */
  readonly foundAfterHarm: (harm: Harm, linesPerSegment?: number) => Promise<Finding | string | null>;
  /** The same for one segment, put back faster. */
  readonly foundWith: (firstSeq: number, bytes: Uint8Array, read?: Reading) => Promise<Finding | string | null>;
}

/** Everything is opened anew, as for a person who asks for it; or the chain is read alone, by a connection that stays open. */
export type Reading = "anew" | "chain-alone";

export type Harm = (db: DatabaseSync) => void;

const ENTRIES_PER_CALL = 3;
const count = defineTool({
  name: "count",
  description: "counts",
  inputSchema: { type: "object" },
  execute: () => "one",
});

/**
 * So many entries, three a call, with a checkpoint after each of `signedAt` and after the last. Calls that are made at
 * once share their segments.
 */
export async function writeLedgerByGate(
  entries: number,
  signedAt: readonly number[] = [],
  { atOnce = 1 } = {},
): Promise<WrittenLedger> {
  const rules = [{ id: "count", effect: "allow", touch: { unknown: true } }] as const;
  const scratch = openScratchGate({ tools: [count], rules, policy: "untold" });
  const { stateDir, gate } = scratch;
  const untouched = join(scratch.folder, "untouched");
  for (let size = ENTRIES_PER_CALL * atOnce; size <= entries; size += ENTRIES_PER_CALL * atOnce) {
    const calls = Array.from({ length: atOnce }, () => gate.call({ tool: "count", input: { size } }));
    for (const { kind } of await Promise.all(calls)) if (kind !== "completed") throw new Error(`the call was ${kind}`);
    if (signedAt.includes(size)) await gate.ledger.checkpoint();
  }
  await gate.close();
  cpSync(stateDir, untouched, { recursive: true });

  const db = outsider(stateDir);
  const rows = readRows(db);
  if (rows.length !== entries) throw new Error(`${rows.length} entries instead of ${entries}`);
  db.exec("ATTACH ':memory:' AS kept; CREATE TABLE kept.checkpoints AS SELECT * FROM main.checkpoints");
  const segments = readSegments(db);
  const places = new Map(segments.flatMap(placesIn));
  const change = db.prepare("UPDATE main.segments SET lines = CAST(? AS TEXT) WHERE first_seq = ?");
  const reader = LedgerReader.open(stateDir) as LedgerReader;
  const chainAlone = { checkpoints: { stored: [], filed: null }, publicKey: null };
  const foundInChain = async () => (await verifyOpened(reader, chainAlone, { stateDir, threads: 1 })).firstFinding;
  const foundAfter = async (harm: Harm) => {
    inTransaction(db, () => harm(db));
    const found = await firstFinding(stateDir);
    inTransaction(db, () => {
      writeSegments(db, segments);
      db.exec("DELETE FROM main.checkpoints; INSERT INTO main.checkpoints SELECT * FROM kept.checkpoints");
    });
    return found;
  };
  return {
    stateDir,
    untouched,
    rows,
    row: (seq) => rows[seq - 1] as StoredRow,
    placeOf: (seq) => places.get(seq) as Place,
    foundAfter,
    foundAfterHarm: (harm, linesPerSegment) => foundAfter(() => withEntries(db, () => harm(db), linesPerSegment)),
    foundWith: async (firstSeq, bytes, read = "anew") => {
      change.run(bytes, firstSeq);
      const found = read === "anew" ? await firstFinding(stateDir) : await foundInChain();
      change.run(places.get(firstSeq)?.segment ?? null, firstSeq);
      return found;
    },
    [Symbol.asyncDispose]: async () => {
      reader.close();
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
  const prev = seq === 1 ? GENESIS_HASH : ledger.row(seq - 1).hash;
  const template = entryFromText(ledger.row(Math.max(1, seq - 1)).text, GENESIS_HASH);
  return { seq, ...sealEntry({ ...template, actor: "mallory" }, seq, prev) };
}

/** The chain from entry `from` on with another actor in it, sealed anew: the work of somebody who knows the format. */
export function rebuiltFrom(from: number, rows: readonly StoredRow[]): readonly StoredRow[] {
  let prev: Digest = rows[from - 2]?.hash ?? GENESIS_HASH;
  return rows.slice(from - 1).map(({ seq, text }) => {
    const entry = entryFromText(text, GENESIS_HASH);
    const sealed = sealEntry(seq === from ? { ...entry, actor: "mallory" } : entry, seq, prev);
    prev = sealed.hash;
    return { seq, ...sealed };
  });
}

/** Moves the entries from `seq` on by one place, up or down. */
export function shift(db: DatabaseSync, seq: number, by: 1 | -1): void {
  db.exec(`UPDATE entries SET seq = -(seq + ${by}) WHERE seq >= ${seq}; UPDATE entries SET seq = -seq WHERE seq < 0`);
}

function placesIn({ firstSeq, lines }: StoredSegment): [number, Place][] {
  const segment = Buffer.from(lines);
  let from = 0;
  return lines.split("\n").map((line, i) => {
    const length = Math.min(Buffer.byteLength(line) + 1, segment.length - from);
    const place = { firstSeq, segment, from, length };
    from += length;
    return [firstSeq + i, place];
  });
}

function inTransaction(db: DatabaseSync, change: () => void): void {
  db.exec("BEGIN IMMEDIATE");
  change();
  db.exec("COMMIT");
}
