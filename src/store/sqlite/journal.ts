import type { EntryDraft, EntryKind } from "../../domain/entry.ts";
import type { Refusal } from "../../domain/outcome.ts";
import { entryFromText } from "../../ledger/chain.ts";
import type { Checkpoint } from "../../ledger/checkpoint.ts";
import type { Change, Committed, Journal, Noted } from "../../ports/journal.ts";
import type { Questions } from "../../ports/questions.ts";
import { type Connection, type ConnectionOptions, connect, disconnect } from "./connection.ts";
import { QuestionBoard } from "./question-board.ts";
import { callsOf, settled } from "./recovery.ts";
import { rowAt } from "./segment.ts";
import { ledgerUnavailable, reasonOf, sqliteFault } from "./sqlite-fault.ts";
import { whileBusy } from "./while-busy.ts";
import type { Note } from "./writer.ts";

interface Pending {
  readonly change: Change | Note;
  readonly done: (result: Committed) => void;
}

/** Keeps a commit short enough for the event loop, which waits for it. */
const BATCH_MAX = 256;
/** New entries are put under a signed checkpoint this long after the first of them. */
const CHECKPOINT_DELAY_MS = 1000;

/**
 * The journal on SQLite. What is handed in during one turn of the event loop, or while a commit waits for its lock,
 * becomes one transaction and one sync: calls in flight share their commits.
 */
export class SqliteJournal implements Journal {
  readonly #options: ConnectionOptions;
  readonly #board: QuestionBoard;
  #queue: Pending[] = [];
  #connection: Connection | null = null;
  /** INVARIANT (no retry and assume): after a failed sync nothing is written until the process starts again. */
  #lost: Refusal | null = null;
  /** Calls that ran and whose end could not be written: they become `unknown` as soon as the journal can say so. */
  readonly #owed = new Set<string>();
  #flushed: Promise<void> | null = null;
  #lastBatch = 0;
  #disarmCheckpoint: (() => void) | null = null;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.#board = new QuestionBoard({ clock: options.clock, db: () => this.#opened().db });
  }

  get questions(): Questions {
    return this.#board;
  }

  commit(change: Change): Promise<Committed> {
    return this.#enqueue(change);
  }

  note(entry: EntryDraft): Promise<Committed> {
    return this.#enqueue({ kind: entry.kind, entries: () => [entry] });
  }

  async lastNote(kind: EntryKind): Promise<Noted> {
    try {
      const connection = await whileBusy(this.#options.clock, () => this.#connected());
      if (connection.kind === "refused") return { kind: "failed", refusal: connection.refusal };
      const { db } = connection;
      const seq = db.prepare("SELECT last_seq FROM notes WHERE kind = ?").get(kind)?.["last_seq"];
      const row = seq === undefined ? null : rowAt(db, Number(seq));
      return { kind: "read", entry: row && entryFromText(row[2], row[1]) };
    } catch (error) {
      return { kind: "failed", refusal: this.#refusalFrom(error) };
    }
  }

  #enqueue(change: Change | Note): Promise<Committed> {
    return new Promise((done) => {
      this.#queue.push({ change, done });
      this.#flushed ??= this.#flush();
    });
  }

  /** Puts everything written so far under a signed checkpoint. Null: there was nothing new. */
  async checkpoint(): Promise<Checkpoint | null> {
    await this.#flushed;
    return this.#checkpointWith(await whileBusy(this.#options.clock, () => this.#opened()));
  }

  async close(): Promise<void> {
    await this.#flushed;
    this.#board.close();
    this.#disarmCheckpoint?.();
    const connection = this.#connection;
    this.#connection = null;
    if (connection === null) return;
    try {
      if (this.#lost === null) await this.#checkpointWith(connection);
    } catch {
      // What was acknowledged is on the disk without it, and whoever opens the ledger next signs for it.
    } finally {
      disconnect(connection);
    }
  }

  async #flush(): Promise<void> {
    while (this.#queue.length > 0) {
      // Where calls come several at a time, everything that is on its way in this turn joins the batch; a caller that
      // makes one call after the other has nothing to wait for.
      if (this.#lastBatch > 1) await new Promise((resolve) => setImmediate(resolve));
      else await Promise.resolve();
      const batch = this.#queue.splice(0, BATCH_MAX);
      this.#lastBatch = batch.length;
      const results = await this.#write(batch.map(({ change }) => change));
      for (const [index, { change, done }] of batch.entries()) {
        const result = results[index] ?? { kind: "failed", refusal: ledgerUnavailable("other", "no answer") };
        if (result.kind === "failed" && "from" in change && change.from === "executing") this.#owed.add(change.callId);
        done(result);
      }
      if (batch.some(({ change }) => "from" in change && change.from === "awaiting_approval")) this.#board.look();
    }
    this.#flushed = null;
  }

  /** One transaction, tried again while another process holds the lock, for a bounded time; then one sync. */
  async #write(changes: readonly (Change | Note)[]): Promise<readonly Committed[]> {
    try {
      const results = await whileBusy(this.#options.clock, () => this.#writeOnce(changes));
      if (results.some(({ kind }) => kind === "committed")) await this.#sync(changes.length);
      return results;
    } catch (error) {
      return allFailed(changes, this.#refusalFrom(error));
    }
  }

  #sync(changes: number): Promise<void> | undefined {
    const logSync = this.#connection?.logSync;
    if (changes > 1) return logSync?.soon();
    logSync?.now();
    return;
  }

  #writeOnce(changes: readonly (Change | Note)[]): readonly Committed[] {
    const connection = this.#connected();
    if (connection.kind === "refused") return allFailed(changes, connection.refusal);
    const owed = this.#owed.size === 0 ? [] : this.#settleOwed(connection);
    const results = connection.writer.write([...owed, ...changes]).slice(owed.length);
    this.#owed.clear();
    this.#armCheckpoint(connection);
    return results;
  }

  /** Opened on first use, and again on the next one if that failed: the journal recovers when the disk does. */
  #connected(): ReturnType<typeof connect> {
    if (this.#lost) return { kind: "refused", refusal: this.#lost };
    const connection = this.#connection ?? connect(this.#options);
    if (connection.kind === "connected") this.#connection = connection;
    return connection;
  }

  #opened(): Connection {
    const connection = this.#connected();
    if (connection.kind === "refused") throw new Error(connection.refusal.message);
    return connection;
  }

  #refusalFrom(error: unknown): Refusal {
    const fault = sqliteFault(error);
    const refusal = ledgerUnavailable(fault, reasonOf(error));
    if (fault === "lost") this.#lost = refusal;
    return refusal;
  }

  #settleOwed({ db }: Connection): readonly Change[] {
    const at = new Date(this.#options.clock.nowMs()).toISOString();
    return callsOf(db, this.#owed).flatMap((call) => settled(db, call, at) ?? []);
  }

  #armCheckpoint(connection: Connection): void {
    this.#disarmCheckpoint ??= this.#options.clock.after(CHECKPOINT_DELAY_MS, () => {
      this.#disarmCheckpoint = null;
      // One that could not be made is made at the next turn or at close.
      this.#checkpointWith(connection).catch(() => {});
    });
  }

  /** A sync that failed here ends the writing of this process like any other. */
  async #checkpointWith({ checkpointer }: Connection): Promise<Checkpoint | null> {
    if (this.#lost) throw new Error(this.#lost.message);
    try {
      return await checkpointer.run();
    } catch (error) {
      this.#refusalFrom(error);
      throw error;
    }
  }
}

const allFailed = (changes: readonly unknown[], refusal: Refusal): readonly Committed[] =>
  changes.map(() => ({ kind: "failed", refusal }));
