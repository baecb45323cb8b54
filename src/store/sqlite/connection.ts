import type { DatabaseSync } from "node:sqlite";
import type { Digest } from "../../domain/digest.ts";
import type { Refusal } from "../../domain/outcome.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Faults } from "../../ports/faults.ts";
import { BudgetRows } from "./budget-rows.ts";
import { Checkpointer } from "./checkpointer.ts";
import { KeyRows } from "./key-rows.ts";
import { LogSync } from "./log-sync.ts";
import { type Brought, type Durability, openDatabase } from "./open-database.ts";
import { OwnHashes } from "./own-hashes.ts";
import { isOwnerAlive, type OwnerLock, sweepOwners, takeOwnerLock } from "./owner-lock.ts";
import type { RecentLines } from "./recent-lines.ts";
import { abandonedCalls, settled } from "./recovery.ts";
import { Writer } from "./writer.ts";

export interface ConnectionOptions {
  readonly stateDir: string;
  readonly durability: Durability;
  readonly owner: string;
  readonly clock: Clock;
  readonly brought?: Brought;
  /** Told of what was committed. */
  readonly recent?: RecentLines;
  readonly faults?: Faults;
}

export interface Connection {
  readonly kind: "connected";
  readonly db: DatabaseSync;
  readonly writer: Writer;
  readonly budgets: BudgetRows;
  readonly keys: KeyRows;
  readonly lock: OwnerLock;
  readonly checkpointer: Checkpointer;
  readonly logSync: LogSync;
  /** Whether calls of processes that are gone got their end when it was opened. */
  readonly hasSettled: boolean;
}

/** Opens the journal, takes the owner's lock, and settles what dead owners left open. Throws what SQLite throws. */
export function connect(
  options: ConnectionOptions,
): Connection | { readonly kind: "refused"; readonly refusal: Refusal } {
  const { stateDir, owner, clock } = options;
  const opened = openDatabase(stateDir, options.brought);
  if (opened.kind === "refused") return opened;
  using unlessConnected = new DisposableStack();
  const db = unlessConnected.adopt(opened.db, (open) => open.close());
  const logSync = unlessConnected.adopt(new LogSync(db, options), (open) => open.close());
  const own = new OwnHashes();
  const checkpointer = new Checkpointer({ db, stateDir, owner, clock, logSync, own });
  const refusal = checkpointer.refusalToAppend();
  if (refusal) return { kind: "refused", refusal };
  const written = (firstSeq: number, hashes: readonly Digest[], lines: readonly string[]) => {
    own.add(firstSeq, hashes);
    options.recent?.add(firstSeq, lines);
  };
  const writer = new Writer(db, written, options.faults);
  const hasSettled = settleAbandoned(db, writer, options) > 0;
  sweepOwners(stateDir);
  // Last, so that whatever fails before leaves no lock behind; it is held before this owner has any call.
  const lock = takeOwnerLock(stateDir, owner);
  unlessConnected.move();
  return {
    kind: "connected",
    db,
    writer,
    budgets: new BudgetRows(db),
    keys: new KeyRows(db),
    lock,
    checkpointer,
    logSync,
    hasSettled,
  };
}

export function disconnect({ logSync, db, lock }: Connection): void {
  logSync.close();
  db.close();
  lock.release();
}

/** Gives the open calls of owners that are gone their end. Returns how many there were. */
export function settleAbandoned(
  db: DatabaseSync,
  writer: Writer,
  { stateDir, owner, clock }: ConnectionOptions,
): number {
  const at = new Date(clock.nowMs()).toISOString();
  const abandoned = abandonedCalls(db, owner, (name) => isOwnerAlive(stateDir, name));
  const changes = abandoned.flatMap((call) => settled(db, call, at) ?? []);
  if (changes.length > 0) writer.write(changes);
  return changes.length;
}
