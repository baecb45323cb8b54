import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { checkpointFile } from "../../../src/store/sqlite/checkpoint-file.ts";
import { connect, disconnect } from "../../../src/store/sqlite/connection.ts";
import { journalFile } from "../../../src/store/sqlite/open-database.ts";
import { systemClock } from "../../../src/wiring/system-clock.ts";
import { MEMORY } from "../../support/memory.ts";
import { first, mustCommit } from "../changes.ts";
import { readRows } from "../entries-table.ts";
import { openJournal, writeLedger } from "../sqlite/open-journal.ts";
import { isReported, openScratch, outsider, type Scratch, verify } from "../state-dir.ts";

/** A state directory as a crash leaves it: the newest commits are in the log only. */
export interface CrashImage {
  readonly db: Buffer;
  readonly log: Buffer;
  readonly checkpoints: Buffer;
  readonly keys: Readonly<Record<string, Buffer>>;
  /** After each commit: how long the log was, and how many entries were acknowledged. */
  readonly marks: readonly { readonly logBytes: number; readonly entries: number }[];
  /** How many entries the last checkpoint in the file speaks of, and how long the log was when the store had it. */
  readonly signed: number;
  readonly signedLogBytes: number;
  readonly texts: readonly string[];
}

/** 20 entries in the database, 24 more in the log, of which 16 are under a checkpoint. */
export async function crashImage(): Promise<CrashImage> {
  using scratch = openScratch();
  const { stateDir } = scratch;
  await writeLedger(stateDir, 10);
  const marks = [{ logBytes: 0, entries: 20 }];
  await using journal = openJournal(stateDir, { owner: "owner_crashed" });
  const mark = (entries: number) => marks.push({ logBytes: statSync(`${journalFile(stateDir)}-wal`).size, entries });
  let [signed, signedLogBytes] = [20, 0];
  for (let n = 1; n <= 8; n++) {
    const { seq } = mustCommit(await journal.commit(first(`late${n}`, "refused", { entries: [{}, {}, {}] })));
    mark(seq);
    if (n !== 5) continue;
    signed = (await journal.checkpoint())?.size ?? 0;
    mark(seq);
    signedLogBytes = marks.at(-1)?.logBytes ?? 0;
  }
  const read = (name: string) => readFileSync(join(stateDir, name));
  return {
    log: read("journal.db-wal"),
    texts: textsIn(stateDir),
    checkpoints: readFileSync(checkpointFile(stateDir)),
    keys: { "ledger.key": read("ledger.key"), "ledger.pub": read("ledger.pub") },
    marks,
    signed,
    signedLogBytes,
    // Last: closing it drops SQLite's locks on it, and nothing is written any more but the end of the journal.
    db: read("journal.db"),
  };
}

/** As it comes from another thread, where a buffer has become an array of bytes. */
export const imageFromThread = ({ db, log, checkpoints, keys, ...rest }: CrashImage): CrashImage => ({
  ...rest,
  db: Buffer.from(db),
  log: Buffer.from(log),
  checkpoints: Buffer.from(checkpoints),
  keys: Object.fromEntries(Object.entries(keys).map(([name, key]) => [name, Buffer.from(key)])),
});

/** How many entries were acknowledged before the log reached this length. */
export const acknowledgedBefore = ({ marks }: CrashImage, logBytes: number): number =>
  Math.max(...marks.filter((mark) => mark.logBytes <= logBytes).map(({ entries }) => entries));

/** What became of an image after the machine came up again. */
export interface AfterCrash {
  /** The texts of the entries that are there, or null where they can't be read. */
  readonly texts: readonly string[] | null;
  /** `ledger verify` finds something. */
  readonly reported: boolean;
  /** The journal refuses to be written. */
  readonly refused: boolean;
}

/** A place in which a machine comes up again. */
export interface CrashSite extends Scratch {
  readonly put: (image: CrashImage) => void;
  readonly restart: (image: CrashImage, damage?: Partial<CrashImage>) => Promise<AfterCrash>;
}

/**
 * Puts images in place, one after the other, in the same directory. The crash is over: what a restart syncs need not
 * reach a disk, and in memory it takes a tenth of the time.
 */
export function openCrashSite(): CrashSite {
  const scratch = openScratch(MEMORY);
  const { stateDir } = scratch;
  const put = ({ db, log, checkpoints, keys }: CrashImage): void => {
    mkdirSync(stateDir, { recursive: true, mode: 0o700 });
    rmSync(`${journalFile(stateDir)}-shm`, { force: true });
    rmSync(`${journalFile(stateDir)}-wal`, { force: true });
    writeFileSync(journalFile(stateDir), db);
    if (log.length > 0) writeFileSync(`${journalFile(stateDir)}-wal`, log);
    writeFileSync(checkpointFile(stateDir), checkpoints);
    for (const [name, key] of Object.entries(keys)) writeFileSync(join(stateDir, name), key, { mode: 0o600 });
  };
  const restart = async (image: CrashImage, damage: Partial<CrashImage> = {}): Promise<AfterCrash> => {
    put({ ...image, ...damage });
    const reported = isReported(await verify(stateDir));
    return { reported, refused: isRefused(stateDir), texts: readable(stateDir) };
  };
  return Object.assign(scratch, { put, restart });
}

export function isRefused(stateDir: string): boolean {
  try {
    const connection = connect({ stateDir, durability: "full", owner: "owner_next", clock: systemClock });
    if (connection.kind === "refused") return true;
    disconnect(connection);
    return false;
  } catch {
    return true; // which the journal answers with a refusal
  }
}

function readable(stateDir: string): readonly string[] | null {
  try {
    return textsIn(stateDir);
  } catch {
    return null;
  }
}

function textsIn(stateDir: string): readonly string[] {
  const db = outsider(stateDir);
  try {
    return readRows(db).map(({ text }) => text);
  } finally {
    db.close();
  }
}
