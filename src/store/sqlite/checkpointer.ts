import type { DatabaseSync } from "node:sqlite";
import type { Digest } from "../../domain/digest.ts";
import type { Refusal } from "../../domain/outcome.ts";
import { type Checkpoint, checkpointFromText, checkpointText, signCheckpoint } from "../../ledger/checkpoint.ts";
import { EMPTY_FRONTIER, type Frontier, frontierFromText, frontierText } from "../../ledger/frontier.ts";
import { TreeBuilder } from "../../ledger/tree.ts";
import type { Clock } from "../../ports/clock.ts";
import { appendCheckpoints, checkpointFile, lastCheckpointLine } from "./checkpoint-file.ts";
import type { Durability } from "./open-database.ts";
import { hasSigningKey, makeSigningKey, readSigningKey } from "./signing-key.ts";

interface CheckpointerOptions {
  readonly db: DatabaseSync;
  readonly stateDir: string;
  readonly owner: string;
  readonly clock: Clock;
  readonly durability: Durability;
}

/** Between two slices the event loop gets its turn. */
const SLICE_ROWS = 2000;

/** Puts the entries since the last checkpoint under a new one. Costs by the number of new entries, not of all. */
export class Checkpointer {
  readonly #options: CheckpointerOptions;
  readonly #file: string;
  #running: Promise<Checkpoint | null> | null = null;

  constructor(options: CheckpointerOptions) {
    this.#options = options;
    this.#file = checkpointFile(options.stateDir);
  }

  /** Appending to a ledger that was cut would bury the cut, and without its key no later cut would be seen. */
  refusalToAppend(): Refusal | null {
    const line = lastCheckpointLine(this.#file);
    const signed = line === null ? null : checkpointFromText(line);
    const latest = this.#latest();
    if (signed === null && latest.size === 0) {
      if (!hasSigningKey(this.#options.stateDir)) makeSigningKey(this.#options.stateDir, this.#options.owner);
      return null;
    }
    if (!hasSigningKey(this.#options.stateDir)) return tampered("its signing key `ledger.key` is gone");
    if (typeof signed === "string") return tampered("the last line of `checkpoints.jsonl` is no checkpoint");
    if (signed && this.#hashAt(signed.size) !== signed.head) return tampered("it is not the ledger that was signed");
    return null;
  }

  /** The new checkpoint, or null where there is nothing new. */
  run(): Promise<Checkpoint | null> {
    this.#running ??= this.#advance().finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  async #advance(): Promise<Checkpoint | null> {
    const { db, stateDir, clock, durability } = this.#options;
    const tree = TreeBuilder.from(this.#latest());
    const begin = tree.size;
    const rows = db.prepare("SELECT hash FROM entries WHERE seq > ? ORDER BY seq LIMIT ?");
    let head = "" as Digest;
    for (;;) {
      const slice = rows.all(tree.size, SLICE_ROWS);
      for (const row of slice) tree.add(row["hash"] as Uint8Array);
      const last = slice.at(-1);
      if (last) head = Buffer.from(last["hash"] as Uint8Array).toString("hex") as Digest;
      if (slice.length < SLICE_ROWS) break;
      await new Promise((resolve) => setImmediate(resolve));
    }
    if (tree.size === begin) return null;
    // What a checkpoint swears to has to be on the disk before the oath.
    if (durability === "normal") db.exec("PRAGMA wal_checkpoint(FULL)");
    const claim = { size: tree.size, root: tree.root(), head, at: new Date(clock.nowMs()).toISOString() };
    const checkpoint = signCheckpoint(claim, readSigningKey(stateDir));
    this.#publish(checkpoint, tree.frontier());
    return checkpoint;
  }

  /** Store first, then file; what a crash left between the two is made up for by the next one. */
  #publish(checkpoint: Checkpoint, frontier: Frontier): void {
    const { db } = this.#options;
    db.exec("BEGIN IMMEDIATE");
    try {
      db.prepare("INSERT OR IGNORE INTO checkpoints (size, text, frontier) VALUES (?, ?, ?)").run(
        checkpoint.size,
        checkpointText(checkpoint),
        frontierText(frontier),
      );
      db.exec("COMMIT");
      db.exec("BEGIN IMMEDIATE");
      appendCheckpoints(this.#file, this.#unfiled());
    } finally {
      if (db.isTransaction) db.exec("ROLLBACK");
    }
  }

  #unfiled(): readonly string[] {
    const line = lastCheckpointLine(this.#file);
    const filed = line === null ? null : checkpointFromText(line);
    const size = filed === null || typeof filed === "string" ? 0 : filed.size;
    const rows = this.#options.db.prepare("SELECT text FROM checkpoints WHERE size > ? ORDER BY size").all(size);
    return rows.map((row) => String(row["text"]));
  }

  #latest(): Frontier {
    const row = this.#options.db.prepare("SELECT frontier FROM checkpoints ORDER BY size DESC LIMIT 1").get();
    return (row && frontierFromText(String(row["frontier"]))) ?? EMPTY_FRONTIER;
  }

  #hashAt(seq: number): string | null {
    const row = this.#options.db.prepare("SELECT lower(hex(hash)) AS hash FROM entries WHERE seq = ?").get(seq);
    return row ? String(row["hash"]) : null;
  }
}

const tampered = (reason: string): Refusal => ({
  code: "LEDGER_UNAVAILABLE",
  stage: "journal",
  message: `the ledger is not written to: ${reason}`,
  hint: "`toolgate ledger verify` says what is wrong; restore the state directory from a backup, or move it away to begin a new one",
});
