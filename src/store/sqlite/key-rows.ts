import { Buffer } from "node:buffer";
import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { Digest } from "../../domain/digest.ts";
import { LIMITS } from "../../domain/limits.ts";
import type { Outcome } from "../../domain/outcome.ts";
import { isTerminal } from "../../domain/state.ts";
import type { ClaimedKey, KeyClaim, KeyName } from "../../ports/keys.ts";
import { rowAt } from "./segment.ts";
import { ENDED_FROM, stateFromCode } from "./state-code.ts";

/** How much is kept. Room is made each time after so many claims, as looking for it takes a while. */
export interface KeyBounds {
  readonly keys: number;
  readonly bytes: number;
  readonly claimsBetweenSweeps: number;
}

const BOUNDS: KeyBounds = {
  keys: LIMITS.dedupeKeys.default,
  bytes: LIMITS.dedupeBytes.default,
  claimsBetweenSweeps: 64,
};

const CALL = "SELECT 1 FROM calls c WHERE c.call_id = d.call_id";
const ENDED = `(d.outcome IS NOT NULL OR EXISTS (${CALL} AND c.state >= ${ENDED_FROM}))`;

/** The keys of calls. Throws what SQLite throws. */
export class KeyRows {
  readonly #db: DatabaseSync;
  readonly #find: StatementSync;
  readonly #add: StatementSync;
  readonly #drop: StatementSync;
  readonly #end: StatementSync;
  readonly #bounds: KeyBounds;
  #untilSweep = 0;

  constructor(db: DatabaseSync, bounds: KeyBounds = BOUNDS) {
    this.#db = db;
    this.#bounds = bounds;
    this.#find = db.prepare(
      `SELECT d.call_id, d.owner, d.input_hash, d.under_hash, d.expires_ms, d.outcome, c.state, c.last_seq
       FROM dedupe d LEFT JOIN calls c ON c.call_id = d.call_id WHERE d.scope = ? AND d.key = ?`,
    );
    this.#add = db.prepare(
      `INSERT INTO dedupe (scope, key, call_id, owner, input_hash, under_hash, expires_ms, bytes)
       VALUES (?, ?, ?, ?, ?, ?, ?, 0)`,
    );
    this.#drop = db.prepare("DELETE FROM dedupe WHERE call_id = ?");
    this.#end = db.prepare("UPDATE dedupe SET outcome = ?, bytes = ? WHERE call_id = ?");
  }

  find(name: KeyName): ClaimedKey | null {
    const row = this.#find.get(name.scope, name.key);
    if (row === undefined) return null;
    const entry = row["last_seq"] === null ? null : rowAt(this.#db, Number(row["last_seq"]));
    return {
      scope: name.scope,
      key: name.key,
      callId: String(row["call_id"]),
      owner: String(row["owner"]),
      inputHash: String(row["input_hash"]) as Digest,
      underHash: String(row["under_hash"]),
      expiresMs: Number(row["expires_ms"]),
      state: row["state"] === null ? null : stateFromCode(row["state"]),
      outcome: row["outcome"] === null ? null : (JSON.parse(String(row["outcome"])) as Outcome),
      receipt: entry === null ? null : { seq: entry[0], hash: entry[1] },
    };
  }

  /** Whose the key is now; null = the claim's. One that is over, or whose process died before it did anything, is free. */
  claim(claim: KeyClaim, nowMs: number, isAlive: (owner: string) => boolean): ClaimedKey | null {
    this.#db.exec("BEGIN IMMEDIATE");
    try {
      const by = this.find(claim);
      const isFree = by === null || isOver(by, nowMs) || (by.state === null && !isAlive(by.owner));
      if (isFree) {
        if (by !== null) this.#drop.run(by.callId);
        this.#makeRoom(nowMs);
        const { scope, key, callId, owner, inputHash, underHash, expiresMs } = claim;
        this.#add.run(scope, key, callId, owner, inputHash, underHash, expiresMs);
      }
      this.#db.exec("COMMIT");
      return isFree ? null : by;
    } catch (error) {
      if (this.#db.isTransaction) this.#db.exec("ROLLBACK");
      throw error;
    }
  }

  release(callId: string): void {
    this.#drop.run(callId);
  }

  /** In the transaction that ends the call. */
  end(callId: string, outcome: string): void {
    this.#end.run(outcome, Buffer.byteLength(outcome), callId);
  }

  /** Keys are kept for a time, and so many, and so much; the oldest go first. Those of calls under way stay. */
  #makeRoom(nowMs: number): void {
    if (this.#untilSweep-- > 0) return;
    this.#untilSweep = this.#bounds.claimsBetweenSweeps;
    this.#db.prepare(`DELETE FROM dedupe AS d WHERE expires_ms <= ? AND (${ENDED} OR NOT EXISTS (${CALL}))`).run(nowMs);
    const row = this.#db.prepare("SELECT count(*) AS keys, total(bytes) AS bytes FROM dedupe").get();
    const tooMany = Number(row?.["keys"]) - this.#bounds.keys;
    const tooMuch = Number(row?.["bytes"]) - this.#bounds.bytes;
    if (tooMany > 0 || tooMuch > 0) this.#dropOldest(tooMany, tooMuch);
  }

  #dropOldest(tooMany: number, tooMuch: number): void {
    let [keys, bytes] = [tooMany, tooMuch];
    const oldest = this.#db.prepare(`SELECT call_id, bytes FROM dedupe AS d WHERE ${ENDED} ORDER BY expires_ms`);
    const gone: string[] = [];
    for (const row of oldest.iterate()) {
      if (keys <= 0 && bytes <= 0) break;
      gone.push(String(row["call_id"]));
      keys--;
      bytes -= Number(row["bytes"]);
    }
    for (const callId of gone) this.#drop.run(callId);
  }
}

const isOver = ({ expiresMs, outcome, state }: ClaimedKey, nowMs: number): boolean =>
  expiresMs <= nowMs && (outcome !== null || state === null || isTerminal(state));
