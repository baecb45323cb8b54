import type { DatabaseSync } from "node:sqlite";
import type { Clock } from "../../ports/clock.ts";
import { sqliteFault } from "./sqlite-fault.ts";

/** Long enough that the ends of several questions share one checkpoint. */
const DELAY_MS = 200;
/** Until other processes no longer read the log. */
const RETRY_MS = 1000;

export interface TraceEraserOptions {
  readonly clock: Pick<Clock, "after">;
  /** Null: the journal is not open. */
  readonly db: () => DatabaseSync | null;
  readonly onFault: (cause: unknown) => void;
}

/**
 * Removes from SQLite's log what was deleted from the tables. `secure_delete` overwrites the deleted bytes in the database only: the
 * log keeps the pages as they were until it is overwritten, which may be never.
 */
export class TraceEraser {
  readonly #options: TraceEraserOptions;
  #disarm: (() => void) | null = null;

  constructor(options: TraceEraserOptions) {
    this.#options = options;
  }

  later(delayMs = DELAY_MS): void {
    this.#disarm ??= this.#options.clock.after(delayMs, () => {
      this.#disarm = null;
      if (this.#erase() === "busy") this.later(RETRY_MS);
    });
  }

  /** If something is still to be erased. Another process that reads the log erases it when it closes the journal. */
  close(): void {
    if (this.#disarm === null) return;
    this.#disarm();
    this.#disarm = null;
    this.#erase();
  }

  #erase(): "erased" | "busy" {
    try {
      const done = this.#options.db()?.prepare("PRAGMA wal_checkpoint(TRUNCATE)").get();
      return done?.["busy"] === 1 ? "busy" : "erased";
    } catch (error) {
      if (sqliteFault(error) === "busy") return "busy";
      this.#options.onFault(error);
      return "erased";
    }
  }
}
