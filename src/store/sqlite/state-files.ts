import { lstatSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** What toolgate keeps there itself. */
export const STATE_FILES = [
  ...["journal.db", "journal.db-wal", "journal.db-shm", "journal.db-journal"],
  ...["checkpoints.jsonl", "ledger.key", "ledger.pub", "made-here"],
];

/**
 * The first thing in the state directory that is not what we put there, or null. The directory may have come with a
 * repository: a link in it would have us write to somebody's start-up files, and a pipe would hold us up for ever.
 */
export function foreignStateFile(stateDir: string): string | null {
  const file = STATE_FILES.find((name) => !isAbsentOr(join(stateDir, name), "file"));
  if (file !== undefined) return file;
  return isAbsentOr(join(stateDir, "owners"), "directory") ? null : "owners";
}

function isAbsentOr(path: string, kind: "file" | "directory"): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return true;
  return kind === "file" ? stats.isFile() : stats.isDirectory();
}

/**
 * The key that signs the ledger and the administrator's token lie there, and a `git add -A` would publish them. Only in a
 * folder that is new: in one that holds anything else, it would be left out as well.
 */
export function keepOutOfGit(stateDir: string): void {
  if (!readdirSync(stateDir).every((name) => MAY_BE_FIRST.test(name))) return;
  try {
    writeFileSync(join(stateDir, ".gitignore"), "*\n", { flag: "wx", mode: 0o600 });
  } catch (error) {
    // Another process makes the same state directory.
    if ((error as { code?: unknown }).code !== "EEXIST") throw error;
  }
}

/** The server makes its token before anything else. */
const MAY_BE_FIRST = /^admin\.token/;
