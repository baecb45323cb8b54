import { closeSync, existsSync, mkdirSync, openSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Refusal } from "../../domain/outcome.ts";
import { checkpointFile, lastCheckpointLine } from "./checkpoint-file.ts";
import { isEmptyJournal, isMadeHere, markIfNew, openToOthers } from "./made-here.ts";
import { FORMAT, hasOwnSchema, prepareTables } from "./schema.ts";
import { foreignStateFile, keepOutOfGit } from "./state-files.ts";

export type Durability = "full" | "normal";

export type Opened =
  | { readonly kind: "opened"; readonly db: DatabaseSync }
  | { readonly kind: "refused"; readonly refusal: Refusal };

export const journalFile = (stateDir: string): string => join(stateDir, "journal.db");

/** What to do with a journal that was made elsewhere. */
export type Brought = "refuse" | "use";

/** Opens the journal for writing, making it if need be. Other users of the machine can't read it. */
export function openDatabase(stateDir: string, brought: Brought = "use"): Opened {
  mkdirSync(stateDir, { recursive: true, mode: 0o700 });
  const foreign = foreignStateFile(stateDir);
  if (foreign !== null) return { kind: "refused", refusal: foreignFile(foreign) };
  // A new journal beside old checkpoints would hide that the old one is gone.
  if (isWithoutJournal(stateDir)) return { kind: "refused", refusal: JOURNAL_GONE };
  keepOutOfGit(stateDir);
  createPrivately(journalFile(stateDir));
  markIfNew(stateDir);
  const open = brought === "refuse" ? openToOthers(stateDir) : null;
  if (open !== null) return { kind: "refused", refusal: fileOpenToOthers(open) };
  if (brought === "refuse" && !isMadeHere(stateDir)) return { kind: "refused", refusal: MADE_ELSEWHERE };
  const db = new DatabaseSync(journalFile(stateDir), { timeout: 0 });
  try {
    // SQLite keeps the file whole; that what was acknowledged survives a power cut is up to `LogSync`.
    db.exec("PRAGMA synchronous = NORMAL");
    // An input that is deleted when its call has ended is overwritten, not left lying in a free page.
    db.exec("PRAGMA secure_delete = ON");
    db.enableDefensive(true);
    db.exec("PRAGMA trusted_schema = OFF");
    // Before anything else is set: what another version wrote stays as it is.
    const prepared = prepareTables(db);
    if (prepared.kind === "other format") {
      db.close();
      return { kind: "refused", refusal: otherFormat(prepared.found) };
    }
    if (!hasOwnSchema(db)) {
      db.close();
      return { kind: "refused", refusal: OTHER_TABLES };
    }
    db.exec("PRAGMA journal_mode = WAL");
    return { kind: "opened", db };
  } catch (error) {
    db.close();
    throw error;
  }
}

/**
 * SQLite gives its side files the mode of the database, so making that first settles all of them.
 * Never opened where it exists: closing a descriptor lets go of every POSIX lock that this process holds on the file,
 * also SQLite's own, and another process then takes the log for abandoned (sqlite.org/howtocorrupt.html, 2.2).
 */
function createPrivately(path: string): void {
  try {
    closeSync(openSync(path, "wx", 0o600));
  } catch (error) {
    if ((error as { code?: unknown }).code !== "EEXIST") throw error;
  }
}

const foreignFile = (name: string): Refusal => ({
  code: "LEDGER_UNAVAILABLE",
  stage: "journal",
  message: `\`${name}\` in the state directory is a link, a pipe or something else that toolgate does not make`,
  hint: "did the state directory come with the workspace? move it away, and a new one is made",
});

/** There are signed checkpoints, and the journal that they were made of is not there, or is empty. */
const isWithoutJournal = (stateDir: string): boolean =>
  existsSync(checkpointFile(stateDir)) &&
  isEmptyJournal(stateDir) &&
  lastCheckpointLine(checkpointFile(stateDir)) !== null;

const JOURNAL_GONE: Refusal = {
  code: "LEDGER_UNAVAILABLE",
  stage: "journal",
  message: "`journal.db` is gone from the state directory, or empty, and `checkpoints.jsonl` says that it held entries",
  hint: "restore the whole state directory from one backup; without a backup, move it away, and a new ledger is made",
};

const fileOpenToOthers = ({ name, mode }: { readonly name: string; readonly mode: number }): Refusal => ({
  code: "LEDGER_UNAVAILABLE",
  stage: "journal",
  message: `other users may read or change \`${name}\` in the state directory (mode ${mode.toString(8).padStart(4, "0")})`,
  hint: `run \`chmod 600 ${name}\` in the state directory`,
});

const MADE_ELSEWHERE: Refusal = {
  code: "LEDGER_UNAVAILABLE",
  stage: "journal",
  message: "the ledger in the workspace was not made here: it came with the workspace, or was copied or restored",
  hint: "if it is yours, `toolgate ledger adopt` takes it over; else move the state directory away, and a new one is made",
};

const OTHER_TABLES: Refusal = {
  code: "LEDGER_UNAVAILABLE",
  stage: "journal",
  message: "the tables in the ledger `journal.db` are not those that toolgate makes",
  hint: "the file was damaged or changed by somebody else; put back a copy",
};

const otherFormat = (found: number): Refusal => ({
  code: "LEDGER_UNAVAILABLE",
  stage: "journal",
  message: `the ledger \`journal.db\` has format ${found}, and this version of toolgate reads only format ${FORMAT}`,
  hint: "use the version of toolgate that wrote it, or move the state directory away; nothing was changed",
});
