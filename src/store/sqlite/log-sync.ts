import { closeSync, fdatasync, fdatasyncSync, openSync } from "node:fs";
import { promisify } from "node:util";
import { type Durability, journalFile } from "./open-database.ts";

const syncInBackground = promisify(fdatasync);

/**
 * Makes committed transactions power-safe: syncs SQLite's write-ahead log, which is all that `synchronous = FULL` does at
 * a commit. Done by us, a batch of calls can be synced while the event loop goes on with other calls.
 * INVARIANT (durable when said): a commit is acknowledged only after a sync of the log that began after it.
 * Others may see it before; whatever they do because of it is committed behind it, and synced with it.
 */
export class LogSync {
  readonly #path: string;
  readonly #isWanted: boolean;
  #fd: number | null = null;

  constructor(stateDir: string, durability: Durability) {
    this.#path = `${journalFile(stateDir)}-wal`;
    this.#isWanted = durability === "full";
  }

  /** For one who waits for nothing else: going to another thread and back costs more than it gains. */
  now(): void {
    if (this.#isWanted) fdatasyncSync(this.#open());
  }

  async soon(): Promise<void> {
    if (this.#isWanted) await syncInBackground(this.#open());
  }

  close(): void {
    if (this.#fd !== null) closeSync(this.#fd);
    this.#fd = null;
  }

  /** SQLite keeps one log as long as a connection is open, and takes no locks on it that closing could lose. */
  #open(): number {
    this.#fd ??= openSync(this.#path, "r");
    return this.#fd;
  }
}
