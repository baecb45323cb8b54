import { closeSync, constants, fstatSync, openSync, writeSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import type { LogSync } from "./log-sync.ts";
import { journalFile } from "./open-database.ts";
import { sqliteFault } from "./sqlite-fault.ts";

/** Where SQLite begins its log anew: behind 1,000 pages of 4,096 bytes, each with its header. */
const ROOM_BYTES = 4 * 2 ** 20;

/** What the event loop is held up by, and a sync in between has to wait for, stays well below a millisecond or two. */
const STEP_BYTES = 256 * 2 ** 10;

/** Two calls. Whoever makes one and ends never comes to where room would be worth it. */
const COMMITS_BEFORE = 4;

/**
 * Gives SQLite's log its whole length ahead of time. While a file grows, each sync of it also has the file system write
 * down where its new blocks are, which takes as long again as the sync itself; SQLite deletes its log when the last
 * process closes it, so that without this the first few hundred calls of every process would pay for that.
 * INVARIANT (nothing is overwritten): zeros are put behind the end of the file only, and only while we have SQLite's
 * lock for writing, so nobody else is adding to it. SQLite takes no zeros for a page: they have no checksum.
 */
export class LogRoom {
  readonly #db: DatabaseSync;
  readonly #logSync: LogSync;
  readonly #path: string;
  #commits = 0;
  #isDone = false;
  #isClosed = false;
  #making: Promise<void> | null = null;

  constructor(db: DatabaseSync, { stateDir, logSync }: { stateDir: string; logSync: LogSync }) {
    this.#db = db;
    this.#logSync = logSync;
    this.#path = `${journalFile(stateDir)}-wal`;
    this.#isDone = !logSync.isWanted;
  }

  /** Told of each commit: room is made when it is known that there will be more, and behind the answers to this one. */
  committed(): void {
    if (this.#isDone || this.#making !== null || ++this.#commits < COMMITS_BEFORE) return;
    this.#making = new Promise((resolve) => setImmediate(resolve))
      .then(() => this.make())
      .finally(() => {
        this.#making = null;
      });
  }

  /** Never throws. Without room every commit works as it does with it; a sync that failed is told to the next one. */
  async make(): Promise<void> {
    try {
      while (!this.#isClosed && this.#grow()) await this.#logSync.unawaited();
      this.#isDone = true;
    } catch (error) {
      // Another process is writing: the next commits are told of as these were.
      this.#commits = 0;
      this.#isDone = sqliteFault(error) !== "busy";
    }
  }

  /** Until nobody is making room any more: before the log is closed. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#making;
  }

  #grow(): boolean {
    this.#db.exec("BEGIN IMMEDIATE");
    try {
      return addZeros(this.#path);
    } finally {
      this.#db.exec("COMMIT"); // of nothing, which lets go of the lock
    }
  }
}

/** One step; false: there is room. */
function addZeros(path: string): boolean {
  const fd = openSync(path, constants.O_RDWR | constants.O_NOFOLLOW);
  try {
    const { size } = fstatSync(fd);
    if (size >= ROOM_BYTES) return false;
    return writeSync(fd, Buffer.alloc(Math.min(STEP_BYTES, ROOM_BYTES - size)), 0, undefined, size) > 0;
  } finally {
    closeSync(fd);
  }
}
