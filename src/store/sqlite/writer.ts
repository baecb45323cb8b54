import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { Digest } from "../../domain/digest.ts";
import type { Receipt, Refusal } from "../../domain/outcome.ts";
import { type CallState, mayFollow } from "../../domain/state.ts";
import { GENESIS_HASH, sealEntry } from "../../ledger/chain.ts";
import type { Change, Committed } from "../../ports/journal.ts";

/** Writes changes, many in one transaction. Throws what SQLite throws; then nothing of the batch is written. */
export class Writer {
  readonly #db: DatabaseSync;
  readonly #begin: StatementSync;
  readonly #commit: StatementSync;
  readonly #head: StatementSync;
  readonly #addEntry: StatementSync;
  readonly #addCall: StatementSync;
  readonly #moveCall: StatementSync;
  /** The head as this process left it. */
  #known: Receipt | null = null;

  constructor(db: DatabaseSync) {
    this.#db = db;
    this.#begin = db.prepare("BEGIN IMMEDIATE");
    this.#commit = db.prepare("COMMIT");
    this.#head = db.prepare("SELECT seq, lower(hex(hash)) AS hash FROM entries ORDER BY seq DESC LIMIT 1");
    this.#addEntry = db.prepare("INSERT INTO entries (seq, hash, text) VALUES (?, ?, ?)");
    this.#addCall = db.prepare("INSERT OR IGNORE INTO calls VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    this.#moveCall = db.prepare("UPDATE calls SET state = ?, last_seq = ? WHERE call_id = ? AND state = ?");
  }

  write(changes: readonly Change[]): readonly Committed[] {
    const known = this.#known;
    try {
      return this.#transaction(changes, known);
    } catch (error) {
      // INVARIANT (chain): an entry's number is a primary key, so who goes on from a head that is no longer the last
      // collides with what another process has written since, and goes on from there.
      if (known === null || !isTaken(error)) throw error;
      return this.#transaction(changes, null);
    }
  }

  #transaction(changes: readonly Change[], known: Receipt | null): readonly Committed[] {
    this.#known = null;
    this.#begin.run();
    try {
      let head = known ?? this.head();
      const results = changes.map((change) => {
        const applied = this.#apply(change, head);
        if (applied.kind === "committed") head = applied.receipt;
        return applied;
      });
      this.#commit.run();
      this.#known = head;
      return results;
    } catch (error) {
      if (this.#db.isTransaction) this.#db.exec("ROLLBACK");
      throw error;
    }
  }

  head(): Receipt {
    const row = this.#head.get();
    return row ? { seq: Number(row["seq"]), hash: String(row["hash"]) as Digest } : { seq: 0, hash: GENESIS_HASH };
  }

  #apply(change: Change, head: Receipt): Committed {
    if (!mayFollow(change.from, change.to) || isNew(change) !== (change.created !== undefined)) return illegal(change);
    const sealed = sealAll(change, head);
    if (sealed === null) return UNWRITABLE;
    const last = sealed.at(-1) ?? head;
    const moved = change.created
      ? this.#create(change.created, change.to, head.seq + 1, last.seq)
      : this.#moveCall.run(change.to, last.seq, change.callId, change.from).changes;
    if (Number(moved) !== 1) return illegal(change);
    for (const entry of sealed) {
      const { changes } = this.#addEntry.run(entry.seq, Buffer.from(entry.hash, "hex"), entry.text);
      // INVARIANT (ledger first): an entry that is not there was not written, whatever kept it out.
      if (Number(changes) !== 1) throw new Error("the ledger did not take an entry");
    }
    return { kind: "committed", receipt: { seq: last.seq, hash: last.hash } };
  }

  #create(call: NonNullable<Change["created"]>, state: CallState, firstSeq: number, lastSeq: number): number | bigint {
    const { callId, project, sessionId, owner, host, tool, caller } = call;
    return this.#addCall.run(callId, state, project, sessionId, owner, host, tool, caller, firstSeq, lastSeq).changes;
  }
}

interface SealedRow extends Receipt {
  readonly text: string;
}

/** Null: what it tells has no canonical form. That is its own trouble, and none of the others in its batch. */
function sealAll(change: Change, head: Receipt): readonly SealedRow[] | null {
  let prev = head;
  try {
    return change.entries().map((draft) => {
      const seq = prev.seq + 1;
      const row = { seq, ...sealEntry(draft, seq, prev.hash) };
      prev = row;
      return row;
    });
  } catch {
    return null;
  }
}

/** SQLITE_CONSTRAINT_PRIMARYKEY, and _ROWID for a key that is the row's own number. */
const isTaken = (error: unknown): boolean => [1555, 2579].includes(Number((error as { errcode?: unknown }).errcode));

const isNew = (change: Change): boolean => change.from === "received";

const illegal = ({ from, to }: Change): Committed => ({
  kind: "failed",
  refusal: {
    code: "ILLEGAL_TRANSITION",
    stage: "journal",
    message: `a call can't go from \`${from}\` to \`${to}\` now`,
  } satisfies Refusal,
});

const UNWRITABLE: Committed = {
  kind: "failed",
  refusal: {
    code: "FAULT",
    stage: "journal",
    message: "the gate made a mistake: what it wanted to record has no place in the ledger",
    hint: "please report it",
  } satisfies Refusal,
};
