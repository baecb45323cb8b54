import { createPublicKey, type KeyObject } from "node:crypto";
import type { DatabaseSync } from "node:sqlite";
import type { Digest } from "../../domain/digest.ts";
import type { Refusal } from "../../domain/outcome.ts";
import {
  type Checkpoint,
  checkpointFromText,
  checkpointText,
  checkSignature,
  keyFingerprint,
  signCheckpoint,
} from "../../ledger/checkpoint.ts";
import { EMPTY_FRONTIER, type Frontier, frontierFromText, frontierText } from "../../ledger/frontier.ts";
import { TreeBuilder } from "../../ledger/tree.ts";
import type { Clock } from "../../ports/clock.ts";
import { appendCheckpoints, checkpointFile, lastCheckpointLine } from "./checkpoint-file.ts";
import type { LogSync } from "./log-sync.ts";
import type { OwnHashes } from "./own-hashes.ts";
import { type EntryRow, readSlices, rowAt } from "./segment.ts";
import { findSigningKey, makeSigningKey, readSigningKey, restorePublicKey } from "./signing-key.ts";
import { whileBusy } from "./while-busy.ts";

interface CheckpointerOptions {
  readonly db: DatabaseSync;
  readonly stateDir: string;
  readonly owner: string;
  readonly clock: Clock;
  readonly logSync: LogSync;
  /** Told of everything that this process writes. */
  readonly own: OwnHashes;
}

/** After so many entries the event loop gets its turn. */
const SLICE_ENTRIES = 1000;

/** Puts the entries since the last checkpoint under a new one. Costs by the number of new entries, not of all. */
export class Checkpointer {
  readonly #options: CheckpointerOptions;
  readonly #file: string;
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: CheckpointerOptions) {
    this.#options = options;
    this.#file = checkpointFile(options.stateDir);
  }

  /** Appending to a ledger that was cut would bury the cut, and without its key no later cut would be seen. */
  refusalToAppend(): Refusal | null {
    const { stateDir, owner } = this.#options;
    const lines = [lastCheckpointLine(this.#file), this.#lastStored()].filter((line) => line !== null);
    if (lines.length === 0) {
      makeSigningKey(stateDir, owner);
      return null;
    }
    const found = findSigningKey(stateDir);
    if (found.kind !== "key") return tampered({ reason: found.why, hint: KEY_LOST });
    const key = keyFingerprint(createPublicKey(found.key));
    const flaw = lines.map((line) => this.#flawOf(line, key)).find((known) => known !== null);
    if (flaw !== undefined) return tampered(flaw);
    restorePublicKey(stateDir, owner);
    return null;
  }

  #flawOf(line: string, key: Digest): Flaw | null {
    const signed = checkpointFromText(line);
    if (typeof signed === "string") return { reason: "its last checkpoint can't be read", hint: FROM_ONE_BACKUP };
    if (signed.key !== key) return { reason: "`ledger.key` is not the key that it was signed with", hint: KEY_LOST };
    if (this.#hashAt(signed.size) === signed.head) return null;
    const reason = "it is not the ledger that was signed: `journal.db` and `checkpoints.jsonl` do not belong together";
    return { reason, hint: FROM_ONE_BACKUP };
  }

  /** The new checkpoint, or null where there is nothing new. One after the other: the last asked for sees the last entry. */
  run(): Promise<Checkpoint | null> {
    const checkpoint = this.#last.then(() => this.#advance());
    this.#last = checkpoint.catch(() => {});
    return checkpoint;
  }

  async #advance(): Promise<Checkpoint | null> {
    const { stateDir, clock } = this.#options;
    const tree = TreeBuilder.from(this.#latest());
    const own = this.#options.own.take();
    let head = await this.#addStored(tree, own.begin);
    // Another process may have signed for more than where ours begins; then all the rest is read.
    if (tree.size === own.begin) head = (await addAll(tree, inSlices(own.hashes))) ?? head;
    head = (await this.#addStored(tree, Number.MAX_SAFE_INTEGER)) ?? head;
    if (head === null) return null;
    const claim = { size: tree.size, root: tree.root(), head, at: new Date(clock.nowMs()).toISOString() };
    const checkpoint = signCheckpoint(claim, readSigningKey(stateDir));
    await whileBusy(clock, () => this.#publish(checkpoint, tree.frontier()));
    return checkpoint;
  }

  /** Adds what follows, up to entry `to`, as it is in the store. */
  #addStored(tree: TreeBuilder, to: number): Promise<Digest | null> | null {
    return tree.size < to ? addAll(tree, hashesOf(readSlices(this.#options.db, tree.size + 1, to))) : null;
  }

  /** Store first, then file; what a crash left between the two is made up for by the next one. */
  #publish(checkpoint: Checkpoint, frontier: Frontier): void {
    const { db, logSync } = this.#options;
    logSync.mustBeSound();
    // What a checkpoint swears to has to be on the disk before the oath: this syncs the whole log, not its own part.
    db.exec("PRAGMA synchronous = FULL");
    try {
      db.exec("BEGIN IMMEDIATE");
      this.#store(checkpoint, frontier);
      db.exec("COMMIT");
      db.exec("BEGIN IMMEDIATE");
      appendCheckpoints(this.#file, this.#unfiled());
    } finally {
      if (db.isTransaction) db.exec("ROLLBACK");
      db.exec("PRAGMA synchronous = NORMAL");
    }
  }

  /** Not behind another process's: the file only grows at its end, so a late smaller one would be missed there for ever. */
  #store(checkpoint: Checkpoint, frontier: Frontier): void {
    const add = this.#options.db.prepare(
      "INSERT INTO checkpoints (size, text, frontier) SELECT ?1, ?2, ?3 WHERE NOT EXISTS (SELECT 1 FROM checkpoints WHERE size >= ?1)",
    );
    add.run(checkpoint.size, checkpointText(checkpoint), frontierText(frontier));
  }

  #unfiled(): readonly string[] {
    const line = lastCheckpointLine(this.#file);
    const filed = line === null ? null : checkpointFromText(line);
    const size = filed === null || typeof filed === "string" ? 0 : filed.size;
    const rows = this.#options.db.prepare("SELECT text FROM checkpoints WHERE size > ? ORDER BY size").all(size);
    // What stands in the store may have come from elsewhere: only what was signed here goes into the file.
    const publicKey = createPublicKey(readSigningKey(this.#options.stateDir));
    return rows.map((row) => String(row["text"])).filter((text) => isSignedBy(text, publicKey));
  }

  /** What was kept of the tree counts only if it is what was signed: a damaged one would make every later root a wrong one. */
  #latest(): Frontier {
    const row = this.#options.db.prepare("SELECT text, frontier FROM checkpoints ORDER BY size DESC LIMIT 1").get();
    const frontier = row && frontierFromText(String(row["frontier"]));
    const signed = row && checkpointFromText(String(row["text"]));
    if (!frontier || typeof signed !== "object" || frontier.size !== signed.size) return EMPTY_FRONTIER;
    return TreeBuilder.from(frontier).root() === signed.root ? frontier : EMPTY_FRONTIER;
  }

  #lastStored(): string | null {
    const row = this.#options.db.prepare("SELECT text FROM checkpoints ORDER BY size DESC LIMIT 1").get();
    return row ? String(row["text"]) : null;
  }

  #hashAt(seq: number): string | null {
    return rowAt(this.#options.db, seq)?.[1] ?? null;
  }
}

/** Adds the leaves, and gives the last of them; null = there was none. */
async function addAll(tree: TreeBuilder, slices: Iterable<readonly Digest[]>): Promise<Digest | null> {
  let last: Digest | null = null;
  let rested = tree.size;
  for (const slice of slices) {
    for (const hash of slice) tree.add(hash);
    last = slice.at(-1) ?? last;
    if (tree.size - rested < SLICE_ENTRIES) continue;
    rested = tree.size;
    await new Promise((resolve) => setImmediate(resolve));
  }
  return last;
}

function* inSlices(hashes: readonly Digest[]): Generator<readonly Digest[]> {
  for (let at = 0; at < hashes.length; at += SLICE_ENTRIES) yield hashes.slice(at, at + SLICE_ENTRIES);
}

function* hashesOf(slices: Iterable<readonly EntryRow[]>): Generator<readonly Digest[]> {
  for (const slice of slices) yield slice.map(([, hash]) => hash);
}

function isSignedBy(text: string, publicKey: KeyObject): boolean {
  const checkpoint = checkpointFromText(text);
  return typeof checkpoint !== "string" && checkSignature(checkpoint, publicKey);
}

interface Flaw {
  readonly reason: string;
  /** The one thing to do. */
  readonly hint: string;
}

const FROM_ONE_BACKUP =
  "restore the whole state directory from one backup; without a backup, move it away, and a new ledger is made";
const KEY_LOST = `put back the \`ledger.key\` of this ledger from a backup; without one, move the state directory away, and a new ledger is made`;

const tampered = ({ reason, hint }: Flaw): Refusal => ({
  code: "LEDGER_UNAVAILABLE",
  stage: "journal",
  message: `the ledger is not written to: ${reason}`,
  hint,
});
