import { existsSync } from "node:fs";
import type { Spending } from "../../domain/budget.ts";
import type { EntryDraft, EntryKind } from "../../domain/entry.ts";
import { isLater, type Now } from "../../domain/now.ts";
import type { Refusal } from "../../domain/outcome.ts";
import { entryFromText } from "../../ledger/chain.ts";
import type { Checkpoint } from "../../ledger/checkpoint.ts";
import type { Change, Committed, Journal, Noted } from "../../ports/journal.ts";
import type { Keys } from "../../ports/keys.ts";
import type { Questions } from "../../ports/questions.ts";
import type { SessionChange, StoredSessions } from "../../ports/sessions.ts";
import { CommitQueue, type Meanwhile } from "./commit-queue.ts";
import { type Connection, type ConnectionOptions, connect, disconnect, settleAbandoned } from "./connection.ts";
import { KeyBoard } from "./key-board.ts";
import { withoutNamedBlobs } from "./named-blobs.ts";
import { isOwnerAlive } from "./owner-lock.ts";
import { QuestionBoard } from "./question-board.ts";
import { callsOf, settled } from "./recovery.ts";
import { rowAt } from "./segment.ts";
import { SessionBoard } from "./session-board.ts";
import { readHashSecret } from "./signing-key.ts";
import { ledgerUnavailable, reasonOf, sqliteFault } from "./sqlite-fault.ts";
import { TraceEraser } from "./trace-eraser.ts";
import { nowOrWhileBusy, whileBusy } from "./while-busy.ts";
import type { Told } from "./writer.ts";

/** New entries are put under a signed checkpoint this long after the first of them. */
const CHECKPOINT_DELAY_MS = 1000;

/** The journal on SQLite. Calls in flight share their commits: see `commit-queue.ts`. */
export class SqliteJournal implements Journal {
  readonly #options: ConnectionOptions;
  readonly #board: QuestionBoard;
  readonly #sessions: SessionBoard;
  readonly #keys: KeyBoard;
  readonly #queue: CommitQueue;
  readonly #eraser: TraceEraser;
  #connection: Connection | null = null;
  /** INVARIANT (no retry and assume): after a failed sync nothing is written until the process starts again. */
  #lost: Refusal | null = null;
  /** Calls that ran and whose end could not be written: they become `unknown` as soon as the journal can say so. */
  readonly #owed = new Set<string>();
  #disarmCheckpoint: (() => void) | null = null;
  readonly #listeners = new Set<() => void>();
  #running = () => 0;
  #isServing = () => false;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    const { clock, faults } = options;
    const read = { clock, faults, db: () => this.#opened().db, isBegun: () => this.#isBegun() };
    this.#board = new QuestionBoard(read);
    this.#sessions = new SessionBoard(read);
    this.#keys = new KeyBoard({
      clock: options.clock,
      rows: () => this.#opened().keys,
      hashSecret: () => readHashSecret(options.stateDir),
      isAlive: (owner) => owner === options.owner || isOwnerAlive(options.stateDir, owner),
      settle: () => {
        const { db, writer } = this.#opened();
        if (settleAbandoned(db, writer, options) > 0) this.#eraser.later();
      },
      refusalFrom: (error) => this.#refusalFrom(error),
    });
    this.#eraser = new TraceEraser({
      clock: options.clock,
      db: () => (this.#lost === null ? (this.#connection?.db ?? null) : null),
      onFault: (cause) => void this.#refusalFrom(cause),
    });
    this.#queue = new CommitQueue({
      write: (changes) => this.#write(changes),
      sync: (changes, meanwhile) => this.#sync(changes, meanwhile),
      settled: (told, result) => this.#settled(told, result),
      isShared: (first) => this.#running() > 1 || (isNewCall(first) && this.#isServing()),
    });
  }

  get questions(): Questions {
    return this.#board;
  }

  get sessions(): StoredSessions {
    return this.#sessions;
  }

  get keys(): Keys {
    return this.#keys;
  }

  taken(leaseId: string): Spending {
    return this.#opened().budgets.taken(leaseId);
  }

  used(leaseId: string): Spending {
    return this.#opened().budgets.used(leaseId);
  }

  /** Takes out of the hashes those of blobs that the journal names. Throws where it can't be read. */
  withoutNamedBlobs(hashes: Set<string>): void {
    withoutNamedBlobs(this.#opened().db, hashes);
  }

  changeSession(change: SessionChange): Promise<Committed> {
    return this.#queue.add(change);
  }

  commit(change: Change): Promise<Committed> {
    return this.#queue.add(change);
  }

  note(entry: EntryDraft): Promise<Committed> {
    return this.#queue.add({ kind: entry.kind, entries: () => [entry] });
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

  /** Puts everything written so far under a signed checkpoint. Null: there was nothing new. */
  async checkpoint(): Promise<Checkpoint | null> {
    await this.#queue.drained();
    if (!this.#isBegun()) return null;
    return this.#checkpointWith(await whileBusy(this.#options.clock, () => this.#opened()));
  }

  async close(): Promise<void> {
    await this.#queue.drained();
    this.#board.close();
    this.#disarmCheckpoint?.();
    this.#eraser.close();
    const connection = this.#connection;
    this.#connection = null;
    if (connection === null) return;
    try {
      if (this.#lost === null) await this.#checkpointWith(connection);
    } catch (cause) {
      this.#options.faults?.report(cause, { stage: "store" });
      // What was acknowledged is on the disk without it, and whoever opens the ledger next signs for it.
    } finally {
      disconnect(connection);
    }
  }

  /**
   * Lets the journal ask how many calls are under way. Where they come over a network, one at a time, a sync that holds up
   * the event loop keeps the others from joining the next commit, and each is synced by itself. `isServing`: whether they
   * come so; then those that lie in other connections already are read before anything is written.
   */
  sharedBy(running: () => number, isServing: () => boolean): void {
    this.#running = running;
    this.#isServing = isServing;
  }

  /** Told when something has become durable. */
  onWritten(written: () => void): () => void {
    this.#listeners.add(written);
    return () => void this.#listeners.delete(written);
  }

  #settled(told: Told, result: Committed): void {
    if ("sessionId" in told) this.#sessions.forget(told.sessionId);
    if (result.kind === "committed") for (const written of this.#listeners) written();
    if (!("from" in told)) return;
    if (result.kind === "failed" && told.from === "executing") this.#owed.add(told.callId);
    if (result.kind === "failed") return;
    if (told.from === "awaiting_approval") this.#board.answeredHere(told.callId);
    if (told.from === "awaiting_approval" || told.from === "approved") this.#eraser.later();
  }

  /** One transaction, tried again while another process holds the lock, for a bounded time. */
  #write(changes: readonly Told[]): Now<readonly Committed[]> {
    const failed = (error: unknown) => allFailed(changes, this.#refusalFrom(error));
    try {
      const writing = nowOrWhileBusy(this.#options.clock, () => this.#writeOnce(changes));
      return isLater(writing) ? writing.catch(failed) : writing;
    } catch (error) {
      return failed(error);
    }
  }

  #sync(changes: readonly Told[], meanwhile: Meanwhile): Now<Refusal | null> {
    const logSync = this.#connection?.logSync;
    const areAllHere = changes.length >= this.#running();
    const isWorthWaiting = changes.length === 1 || (meanwhile === "quiet" && logSync?.isQuick === true);
    if (!(areAllHere && isWorthWaiting && logSync?.isFree !== false))
      return logSync?.soon().then(nothing, (error) => this.#refusalFrom(error)) ?? null;
    try {
      logSync?.now();
      return null;
    } catch (error) {
      return this.#refusalFrom(error);
    }
  }

  #writeOnce(changes: readonly Told[]): readonly Committed[] {
    const connection = this.#connected();
    if (connection.kind === "refused") return allFailed(changes, connection.refusal);
    const results = this.#owed.size === 0 ? connection.writer.write(changes) : this.#writeOwedAnd(changes, connection);
    this.#armCheckpoint(connection);
    return results;
  }

  /** Opened on first use, and again on the next one if that failed: the journal recovers when the disk does. */
  #connected(): ReturnType<typeof connect> {
    if (this.#lost) return { kind: "refused", refusal: this.#lost };
    const connection = this.#connection ?? connect(this.#options);
    if (connection.kind === "connected") {
      if (this.#connection === null && connection.hasSettled) this.#eraser.later();
      this.#connection = connection;
    }
    return connection;
  }

  /** Where nothing was ever kept, whoever only looks makes nothing. A lost `journal.db` is another matter, and is told. */
  #isBegun(): boolean {
    return this.#connection !== null || existsSync(this.#options.stateDir);
  }

  #opened(): Connection {
    const connection = this.#connected();
    if (connection.kind === "refused") throw new Error(connection.refusal.message, { cause: connection.refusal });
    return connection;
  }

  #refusalFrom(error: unknown): Refusal {
    const fault = sqliteFault(error);
    const refusal = ledgerUnavailable(fault, reasonOf(error));
    if (fault === "lost") this.#lost = refusal;
    return refusal;
  }

  #writeOwedAnd(changes: readonly Told[], { db, writer }: Connection): readonly Committed[] {
    const at = new Date(this.#options.clock.nowMs()).toISOString();
    const owed = callsOf(db, this.#owed).flatMap((call) => settled(db, call, at) ?? []);
    const results = writer.write([...owed, ...changes]).slice(owed.length);
    this.#owed.clear();
    return results;
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

const nothing = () => null;

const isNewCall = (told: Told): boolean => "from" in told && told.from === "received";

const allFailed = (changes: readonly unknown[], refusal: Refusal): readonly Committed[] =>
  changes.map(() => ({ kind: "failed", refusal }));
