import { existsSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { setImmediate as turn } from "node:timers/promises";
import { canonicalJson } from "../../domain/canonical-json.ts";
import type { Digest } from "../../domain/digest.ts";
import type { Entry } from "../../domain/entry.ts";
import { callIdTextIn, entryFromText } from "../../ledger/chain.ts";
import { type Checkpoint, checkpointFromText } from "../../ledger/checkpoint.ts";
import type { CheckpointLines } from "../../ledger/checkpoint-set.ts";
import type { Finding } from "../../ledger/finding.ts";
import { inclusionRanges } from "../../ledger/proof.ts";
import { TreeBuilder } from "../../ledger/tree.ts";
import { journalFile } from "./open-database.ts";
import { openForReading } from "./open-for-reading.ts";
import { FORMAT, formatOf, hasOwnSchema, missingTable } from "./schema.ts";
import { lastRow, readRows } from "./segment.ts";
import { foreignStateFile } from "./state-files.ts";
import { readStoredPages, type StoredPage } from "./stored-page.ts";
import { foreignFile, NO_TABLES, otherFormat, otherTables, UnreadableLedger } from "./unreadable.ts";
import { verifyCalls, type WhichCalls } from "./verify-calls.ts";
import { verifyQuestions } from "./verify-questions.ts";
import { verifySessions } from "./verify-sessions.ts";

export interface EntryRange {
  /** The first seq. */
  readonly from: number;
  /** The last seq; more than there are does no harm. */
  readonly to: number;
}

/** What a person who has the root of a checkpoint needs to check that an entry is under it. */
export interface Proof {
  readonly entry: Entry;
  readonly index: number;
  readonly size: number;
  readonly root: Digest;
  readonly proof: readonly Digest[];
  readonly checkpoint: string;
}

/** About a millisecond's worth of hashing. */
const ROWS_AT_ONCE = 256;

/** Reads the ledger and writes nothing. */
export class LedgerReader {
  readonly #db: DatabaseSync;

  private constructor(db: DatabaseSync) {
    this.#db = db;
  }

  /** Null: there is no ledger. */
  static open(stateDir: string): LedgerReader | null {
    const path = journalFile(stateDir);
    const foreign = foreignStateFile(stateDir);
    if (foreign !== null) throw new UnreadableLedger(foreignFile(foreign));
    if (!existsSync(path)) return null;
    const db = openForReading(path);
    try {
      mustHoldLedger(db);
      return new LedgerReader(db);
    } catch (error) {
      db.close();
      throw error;
    }
  }

  close(): void {
    this.#db.close();
  }

  [Symbol.dispose](): void {
    this.close();
  }

  get size(): number {
    return lastRow(this.#db)?.[0] ?? 0;
  }

  *entries({ from, to }: EntryRange): Generator<Entry> {
    for (const [, hash, text] of readRows(this.#db, from, to)) yield entryFromText(text, hash);
  }

  /** The entries of one call lie between its first and its last. */
  *entriesOf(callId: string): Generator<Entry> {
    const row = this.#db.prepare("SELECT first_seq, last_seq FROM calls WHERE call_id = ?").get(callId);
    if (row === undefined) return;
    const own = canonicalJson(callId);
    for (const [, hash, text] of readRows(this.#db, Number(row["first_seq"]), Number(row["last_seq"]))) {
      if (callIdTextIn(text) === own) yield entryFromText(text, hash);
    }
  }

  /** Segments as they are stored, for verifying: see `readStoredPages`. */
  pages(from: number | null, to: number): Generator<StoredPage> {
    return readStoredPages(this.#db, from, to);
  }

  /** The number of the first entry that begins a segment at or behind `seq`; null where none does. */
  borderFrom(seq: number): number | null {
    const row = this.#db.prepare("SELECT min(first_seq) AS found FROM segments WHERE first_seq >= ?").get(seq);
    return row?.["found"] === null || row === undefined ? null : Number(row["found"]);
  }

  /** What is wrong beside the entries, which must be sound. */
  async verifyTables(which: WhichCalls): Promise<readonly Finding[]> {
    if (!hasOwnSchema(this.#db)) return [{ kind: "other-tables" }];
    const found = await verifyCalls(this.#db, which);
    return [...found, ...(await verifyQuestions(this.#db, which)), ...(await verifySessions(this.#db, which))];
  }

  checkpoints(): Required<Omit<CheckpointLines, "filed">> {
    const rows = this.#db.prepare("SELECT size, text FROM checkpoints ORDER BY size").all();
    return {
      stored: rows.map((row) => String(row["text"])),
      storedSizes: rows.map((row) => Number(row["size"])),
    };
  }

  /** Null: there is none that can be read. */
  lastCheckpoint(): Checkpoint | null {
    const row = this.#db.prepare("SELECT text FROM checkpoints ORDER BY size DESC LIMIT 1").get();
    const read = row === undefined ? null : checkpointFromText(String(row["text"]));
    return typeof read === "string" ? null : read;
  }

  /** Null: no checkpoint covers this entry yet. Reads all that the checkpoint covers, and others go in between. */
  async prove(seq: number): Promise<Proof | null> {
    const row = this.#db.prepare("SELECT size, text FROM checkpoints WHERE size >= ? ORDER BY size LIMIT 1").get(seq);
    const [entry] = this.entries({ from: seq, to: seq });
    if (row === undefined || entry === undefined) return null;
    const size = Number(row["size"]);
    const index = seq - 1;
    const proof: Digest[] = [];
    for (const { from, to } of inclusionRanges(index, size)) proof.push(await this.#rootOf(from + 1, to));
    return { entry, index, size, root: await this.#rootOf(1, size), proof, checkpoint: String(row["text"]) };
  }

  async #rootOf(from: number, to: number): Promise<Digest> {
    const tree = new TreeBuilder();
    for (const [seq, hash] of readRows(this.#db, from, to)) {
      tree.add(hash);
      if (seq % ROWS_AT_ONCE === 0) await turn();
    }
    return tree.root();
  }
}

/** Else SQLite would say that a statement of ours makes no sense. */
function mustHoldLedger(db: DatabaseSync): void {
  const missing = missingTable(db);
  const format = formatOf(db);
  if (missing === "all" && format === 0) throw new UnreadableLedger(NO_TABLES);
  if (missing !== null && missing !== "all") throw new UnreadableLedger(otherTables(missing.name));
  if (format !== FORMAT) throw new UnreadableLedger(otherFormat(format));
}
