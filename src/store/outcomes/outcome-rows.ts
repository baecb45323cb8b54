import { closeSync, lstatSync, mkdirSync, openSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { KeptOutcome, Outcomes } from "../../ports/outcomes.ts";

const CALL_ID = /^call_[0-9a-f]{1,64}$/;
const KEPT_MAX = 20_000;
/** The last ones are asked for most. */
const REMEMBERED_MAX = 256;
/** Those that end meanwhile are written together: one by one, writing them costs as much as making the calls. */
const WRITTEN_WITHIN_MS = 10;
const BUSY_MS = 100;

const SCHEMA =
  "CREATE TABLE IF NOT EXISTS outcomes (call_id TEXT PRIMARY KEY, kept TEXT NOT NULL) STRICT, WITHOUT ROWID";

/**
 * How calls ended, in a database of its own. Not synced: what has to survive a power cut is in the ledger, and this is what
 * people like to look at afterwards. Whatever is wrong with it, calls go on.
 */
export class OutcomeRows implements Outcomes {
  readonly #stateDir: string;
  readonly #remembered = new Map<string, KeptOutcome>();
  #unwritten = new Map<string, KeptOutcome>();
  #written: Promise<void> | null = null;
  #db: DatabaseSync | null = null;

  constructor(stateDir: string) {
    this.#stateDir = stateDir;
  }

  /** Comes back when it is written, or can't be. */
  async keep(callId: string, kept: KeptOutcome): Promise<void> {
    if (!CALL_ID.test(callId)) return;
    this.#remember(callId, kept);
    this.#unwritten.set(callId, kept);
    this.#written ??= new Promise((resolve) => {
      setTimeout(() => {
        this.#written = null;
        this.#write();
        resolve();
      }, WRITTEN_WITHIN_MS);
    });
    await this.#written;
  }

  async find(callId: string): Promise<KeptOutcome | null> {
    if (!CALL_ID.test(callId)) return null;
    const known = this.#remembered.get(callId) ?? this.#unwritten.get(callId);
    if (known !== undefined) return known;
    const kept = this.#tried((db) => db.prepare("SELECT kept FROM outcomes WHERE call_id = ?").get(callId)?.["kept"]);
    return typeof kept === "string" ? (JSON.parse(kept) as KeptOutcome) : null;
  }

  /** Ids sort by time. */
  async sweep(): Promise<void> {
    await rm(join(this.#stateDir, "outcomes"), { recursive: true, force: true }).catch(() => {}); // of older versions
    this.#tried((db) =>
      db
        .prepare(
          "DELETE FROM outcomes WHERE call_id <= (SELECT call_id FROM outcomes ORDER BY call_id DESC LIMIT 1 OFFSET ?)",
        )
        .run(KEPT_MAX),
    );
  }

  close(): void {
    this.#write();
    this.#db?.close();
    this.#db = null;
  }

  #write(): void {
    const rows = this.#unwritten;
    this.#unwritten = new Map();
    if (rows.size === 0) return;
    this.#tried((db) => {
      const add = db.prepare("INSERT OR IGNORE INTO outcomes VALUES (?, ?)");
      db.exec("BEGIN IMMEDIATE");
      try {
        for (const [callId, kept] of rows) add.run(callId, JSON.stringify(kept));
        db.exec("COMMIT");
      } finally {
        if (db.isTransaction) db.exec("ROLLBACK");
      }
    });
  }

  /** Undefined: it did not work, and the ledger has the end of every call all the same. */
  #tried<T>(use: (db: DatabaseSync) => T): T | undefined {
    try {
      this.#db ??= open(this.#stateDir);
      return use(this.#db);
    } catch {
      return;
    }
  }

  #remember(callId: string, kept: KeptOutcome): void {
    this.#remembered.set(callId, kept);
    const [oldest] = this.#remembered.keys();
    if (this.#remembered.size > REMEMBERED_MAX && oldest !== undefined) this.#remembered.delete(oldest);
  }
}

/** Other users of the machine can't read it: SQLite gives its side files the mode of the database. */
function open(stateDir: string): DatabaseSync {
  const path = join(stateDir, "outcomes.db");
  mkdirSync(stateDir, { recursive: true, mode: 0o700 });
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) closeSync(openSync(path, "wx", 0o600));
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
