import { closeSync, fdatasync, fdatasyncSync, openSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { promisify } from "node:util";
import type { Clock } from "../../ports/clock.ts";
import { type Durability, journalFile } from "./open-database.ts";

const syncInBackground = promisify(fdatasync);

/** A disk that takes longer must not hold up the event loop; one that is quicker is done before another thread has begun. */
const QUICK_MS = 1;

/**
 * Makes committed transactions power-safe: syncs SQLite's write-ahead log, which is all that `synchronous = FULL` does at
 * a commit. Done by us, a batch of calls can be synced while the event loop goes on with other calls.
 * INVARIANT (durable when said): a commit is acknowledged only after a sync of the log that began after it.
 * Others may see it before; whatever they do because of it is committed behind it, and synced with it.
 */
export class LogSync {
  /** Null: not wanted. */
  readonly #fd: number | null;
  readonly #clock: Pick<Clock, "monotonicMs">;
  #failure: unknown = null;
  #lastMs = 0;

  /**
   * SQLite keeps one log as long as a connection is open, and takes no locks on it that closing could lose. It is opened
   * before anything is written: Linux tells of a write that failed only those who had the file open then.
   */
  constructor(
    db: DatabaseSync,
    { stateDir, durability, clock }: { stateDir: string; durability: Durability; clock: Pick<Clock, "monotonicMs"> },
  ) {
    this.#clock = clock;
    db.exec("SELECT 1 FROM segments LIMIT 1"); // reading makes the log, if it is not there
    this.#fd = durability === "full" ? openSync(`${journalFile(stateDir)}-wal`, "r") : null;
  }

  get isWanted(): boolean {
    return this.#fd !== null;
  }

  /** Whether the last one was. */
  get isQuick(): boolean {
    return this.#lastMs < QUICK_MS;
  }

  /** Where all who could go on wait for it: going to another thread and back costs more than it gains. */
  now(): void {
    this.mustBeSound();
    const startMs = this.#clock.monotonicMs();
    try {
      if (this.#fd !== null) fdatasyncSync(this.#fd);
      this.#lastMs = this.#clock.monotonicMs() - startMs;
    } catch (error) {
      this.#failure = error;
      throw error;
    }
  }

  async soon(): Promise<void> {
    const startMs = this.#clock.monotonicMs();
    await this.unawaited();
    this.#lastMs = this.#clock.monotonicMs() - startMs;
  }

  /** For what nobody is kept waiting by, so how long it takes says nothing of the next one. */
  async unawaited(): Promise<void> {
    this.mustBeSound();
    try {
      if (this.#fd !== null) await syncInBackground(this.#fd);
    } catch (error) {
      this.#failure = error;
      throw error;
    }
  }

  /** INVARIANT (no retry and assume): after a sync that failed, one that succeeds says nothing of what was to be synced before. */
  mustBeSound(): void {
    if (this.#failure !== null) throw this.#failure;
  }

  /** Whatever closing says: what had to be on the disk was synced before it was acknowledged. */
  close(): void {
    try {
      if (this.#fd !== null) closeSync(this.#fd);
    } catch {
      // let go all the same
    }
  }
}
