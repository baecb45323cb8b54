import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { setTimeout as passed } from "node:timers/promises";
import type { KeptOutcome, Outcomes } from "../../ports/outcomes.ts";
import { isBroken, isBusy, openOutcomes, setAside } from "./outcome-file.ts";

const CALL_ID = /^call_[0-9a-f]{1,64}$/;
const KEPT_MAX = 20_000;
/** The last ones are asked for most. */
const REMEMBERED_MAX = 256;
/** Those that end meanwhile are written together: one by one, writing them costs as much as making the calls. */
const WRITTEN_WITHIN_MS = 50;
/** Where somebody else writes: this process goes on meanwhile, and gives up after two seconds. */
const AGAIN_AFTER_MS = 50;
const TRIES_MAX = 40;

export interface OutcomeRowsOptions {
  /** What tests make shorter. */
  readonly later?: (ms: number) => Promise<unknown>;
}

/**
 * How calls ended, in a database of its own. Not synced: what has to survive a power cut is in the ledger, and this is what
 * people like to look at afterwards. Whatever is wrong with it, calls go on; what a power cut broke is begun anew.
 */
export class OutcomeRows implements Outcomes {
  readonly #path: string;
  readonly #later: (ms: number) => Promise<unknown>;
  readonly #remembered = new Map<string, KeptOutcome>();
  #unwritten = new Map<string, KeptOutcome>();
  #written: Promise<void> | null = null;
  #db: DatabaseSync | null = null;
  #isClosed = false;

  constructor(stateDir: string, { later = passed }: OutcomeRowsOptions = {}) {
    this.#path = join(stateDir, "outcomes.db");
    this.#later = later;
  }

  /** Comes back when it is written, or can't be. */
  async keep(callId: string, kept: KeptOutcome): Promise<void> {
    if (!CALL_ID.test(callId)) return;
    added(this.#remembered, callId, kept, REMEMBERED_MAX);
    added(this.#unwritten, callId, kept, KEPT_MAX);
    this.#written ??= this.#writeSoon();
    await this.#written;
  }

  async find(callId: string): Promise<KeptOutcome | null> {
    if (!CALL_ID.test(callId)) return null;
    const known = this.#remembered.get(callId) ?? this.#unwritten.get(callId);
    if (known !== undefined) return known;
    const found = this.#tried((db) => {
      const kept = db.prepare("SELECT kept FROM outcomes WHERE call_id = ?").get(callId)?.["kept"];
      return typeof kept === "string" ? (JSON.parse(kept) as KeptOutcome) : null;
    });
    return found.kind === "done" ? found.value : null;
  }

  /** Ids sort by time. */
  async sweep(): Promise<void> {
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
    this.#letGo();
    this.#isClosed = true;
  }

  async #writeSoon(): Promise<void> {
    await this.#later(WRITTEN_WITHIN_MS);
    for (let tries = 1; this.#write() === "later" && tries < TRIES_MAX; tries++) await this.#later(AGAIN_AFTER_MS);
    this.#unwritten = new Map();
    this.#written = null;
  }

  #write(): "over" | "later" {
    if (this.#unwritten.size === 0) return "over";
    const tried = this.#tried((db) => this.#writeAll(db));
    return tried.kind === "busy" ? "later" : "over";
  }

  #writeAll(db: DatabaseSync): void {
    const add = db.prepare("INSERT OR IGNORE INTO outcomes VALUES (?, ?)");
    db.exec("BEGIN IMMEDIATE");
    try {
      for (const [callId, kept] of this.#unwritten) add.run(callId, JSON.stringify(kept));
      db.exec("COMMIT");
      this.#unwritten = new Map();
    } finally {
      if (db.isTransaction) db.exec("ROLLBACK");
    }
  }

  /** What does not work is left: the ledger has the end of every call all the same. */
  #tried<T>(use: (db: DatabaseSync) => T): Tried<T> {
    try {
      if (this.#isClosed) return { kind: "failed" };
      this.#db ??= openOutcomes(this.#path);
      return { kind: "done", value: use(this.#db) };
    } catch (error) {
      if (!isBroken(error)) return { kind: isBusy(error) ? "busy" : "failed" };
      this.#letGo();
      return { kind: setAside(this.#path) ? "busy" : "failed" };
    }
  }

  #letGo(): void {
    this.#db?.close();
    this.#db = null;
  }
}

type Tried<T> = { readonly kind: "done"; readonly value: T } | { readonly kind: "busy" | "failed" };

/** The oldest makes room. */
function added<T>(to: Map<string, T>, key: string, value: T, max: number): void {
  to.set(key, value);
  const [oldest] = to.keys();
  if (to.size > max && oldest !== undefined) to.delete(oldest);
}
