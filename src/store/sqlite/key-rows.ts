import { Buffer } from "node:buffer";
import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { Digest } from "../../domain/digest.ts";
import { LIMITS } from "../../domain/limits.ts";
import type { Outcome } from "../../domain/outcome.ts";
import { isTerminal } from "../../domain/state.ts";
import type { ClaimedKey, KeyClaim, KeyName } from "../../ports/keys.ts";
import { rowAt } from "./segment.ts";
import { shortOutcome } from "./short-outcome.ts";
import { ENDED_FROM, stateFromCode } from "./state-code.ts";

/** How much is kept for all callers together. What is over is looked for each time after so many claims. */
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

/** All of them together are counted under this name, which nobody has. */
const ALL = "";

const CALL = "SELECT 1 FROM calls c WHERE c.call_id = d.call_id";
const ENDED = `(d.outcome IS NOT NULL OR EXISTS (${CALL} AND c.state >= ${ENDED_FROM}))`;

/**
 * The keys of calls. Throws what SQLite throws.
 * INVARIANT (not forgotten): a key stays for the time that it was promised for. Where there is no room for another one it is
 * refused, and nobody has more keys than there is room left for all others, so that one caller's keys leave no other without.
 */
export class KeyRows {
  readonly #db: DatabaseSync;
  readonly #find: StatementSync;
  readonly #add: StatementSync;
  readonly #drop: StatementSync;
  readonly #end: StatementSync;
  readonly #room: StatementSync;
  readonly #longest: StatementSync;
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
    this.#end = db.prepare(
      "UPDATE dedupe SET outcome = ?, bytes = ?, expires_ms = MAX(expires_ms, ?) WHERE call_id = ? RETURNING scope",
    );
    this.#room = db.prepare("SELECT keys, bytes FROM key_room WHERE scope = ?");
    this.#longest = db.prepare(
      "SELECT call_id, outcome FROM dedupe WHERE scope = ? AND bytes > 1024 ORDER BY expires_ms LIMIT 1",
    );
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

  /**
   * Whose the key is now; null = the claim's. One that is over, or whose process died before it did anything, is free.
   * `full`: nobody's, and there is no room to remember it.
   */
  claim(claim: KeyClaim, nowMs: number, isAlive: (owner: string) => boolean): ClaimedKey | null | "full" {
    this.#db.exec("BEGIN IMMEDIATE");
    try {
      const claimed = this.#claim(claim, nowMs, isAlive);
      this.#db.exec("COMMIT");
      return claimed;
    } catch (error) {
      if (this.#db.isTransaction) this.#db.exec("ROLLBACK");
      throw error;
    }
  }

  #claim(claim: KeyClaim, nowMs: number, isAlive: (owner: string) => boolean): ClaimedKey | null | "full" {
    const by = this.find(claim);
    const isFree = by === null || isOver(by, nowMs) || (by.state === null && !isAlive(by.owner));
    if (!isFree) return by;
    if (by !== null) this.#drop.run(by.callId);
    if (this.#untilSweep-- <= 0) this.#sweep(nowMs);
    if (!this.#hasRoom(claim.scope)) {
      this.#sweep(nowMs);
      if (!this.#hasRoom(claim.scope)) return "full";
    }
    const { scope, key, callId, owner, inputHash, underHash, expiresMs } = claim;
    this.#add.run(scope, key, callId, owner, inputHash, underHash, expiresMs);
    return null;
  }

  release(callId: string): void {
    this.#drop.run(callId);
  }

  /** In the transaction that ends the call. `untilMs`: how long the outcome is kept, at least. */
  end(callId: string, outcome: string, untilMs = 0): void {
    const row = this.#end.get(outcome, Buffer.byteLength(outcome), untilMs, callId);
    if (row === undefined) return;
    const scope = String(row["scope"]);
    while (this.#left(scope, "bytes") < 0) {
      const long = this.#longest.get(scope);
      if (long === undefined) return;
      const short = shortOutcome(String(long["outcome"]));
      // Never counted as long again, so that this comes to an end.
      this.#end.get(short, Math.min(Buffer.byteLength(short), 1024), 0, String(long["call_id"]));
    }
  }

  /** What nobody was promised any more goes. Keys of calls under way stay. */
  #sweep(nowMs: number): void {
    this.#untilSweep = this.#bounds.claimsBetweenSweeps;
    this.#db.prepare(`DELETE FROM dedupe AS d WHERE expires_ms <= ? AND (${ENDED} OR NOT EXISTS (${CALL}))`).run(nowMs);
  }

  #hasRoom(scope: string): boolean {
    return this.#left(scope, "keys") > 0;
  }

  /** A caller has at most as much as is free for all others: alone a half, one of two a third. */
  #left(scope: string, what: "keys" | "bytes"): number {
    const own = Number(this.#room.get(scope)?.[what] ?? 0);
    const all = Number(this.#room.get(ALL)?.[what] ?? 0);
    return this.#bounds[what] - all - own;
  }
}

const isOver = ({ expiresMs, outcome, state }: ClaimedKey, nowMs: number): boolean =>
  expiresMs <= nowMs && (outcome !== null || state === null || isTerminal(state));
