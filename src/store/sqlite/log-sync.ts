import { closeSync, fdatasync, fdatasyncSync, openSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { promisify } from "node:util";
import type { Clock } from "../../ports/clock.ts";
import { isSystemError } from "../system-error.ts";
import { type Durability, journalFile } from "./open-database.ts";

const syncInBackground = promisify(fdatasync);

/** A disk that takes longer must not hold up the event loop; one that is quicker is done before another thread has begun. */
const QUICK_MS = 1;

/**
 * Makes committed transactions power-safe: syncs SQLite's write-ahead log, which is all that `synchronous = FULL` does at
 * a commit. Done by us, a batch of calls can be synced while the event loop goes on with other calls.
 * INVARIANT (durable when said): a commit is acknowledged only after a sync of the log that began after it.
 * Others may see it before; whatever they do because of it is committed behind it, and synced with it.
 * INVARIANT (one at a time): of two syncs of one descriptor at the same time, Linux tells one of a write that failed, and the
 * other that all is well.
 */
export class LogSync {
  /** Null: not wanted. */
  readonly #fd: number | null;
  readonly #clock: Pick<Clock, "monotonicMs">;
  #failure: unknown = null;
  #lastMs = 0;
  /** On another thread. Never rejects. */
  #underWay: Promise<void> | null = null;

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

  /** Whether the last one was. */
  get isQuick(): boolean {
    return this.#lastMs < QUICK_MS;
  }

  /** Whether none is under way, so that one can be made here. */
  get isFree(): boolean {
    return this.#underWay === null;
  }

  /** Where all who could go on wait for it: going to another thread and back costs more than it gains. */
  now(): void {
    this.mustBeSound();
    if (!this.isFree) throw new Error("a sync of the log is under way");
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
    await this.#inBackground();
    this.#lastMs = this.#clock.monotonicMs() - startMs;
  }

  async #inBackground(): Promise<void> {
    while (this.#underWay !== null) await this.#underWay;
    this.mustBeSound();
    if (this.#fd === null) return;
    this.#underWay = this.#onAnotherThread(this.#fd);
    await this.#underWay;
    this.mustBeSound();
  }

  async #onAnotherThread(fd: number): Promise<void> {
    try {
      await syncInBackground(fd);
    } catch (error) {
      this.#failure = error;
    } finally {
      this.#underWay = null;
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
    } catch (error) {
      if (!isSystemError(error)) throw error;
      // The descriptor is released all the same.
    }
  }
}
