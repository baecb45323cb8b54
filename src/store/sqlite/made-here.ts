import {
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  ftruncateSync,
  lstatSync,
  openSync,
  readFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { isDatabaseError, isSystemError } from "../system-error.ts";
import { STATE_FILES } from "./state-files.ts";

/**
 * Beside the journal stands the number that this disk gave the journal's file when it was made. Whatever carries files
 * from one place to another (a repository, an archive, a copy) makes new files, whose numbers nobody knows beforehand:
 * so a journal with approvals and sessions of somebody else's choice can't come along with a workspace.
 */
const markFile = (stateDir: string): string => join(stateDir, "made-here");
const journalIn = (stateDir: string): string => join(stateDir, "journal.db");

/** The number alone may be given again, to the next file that is made. */
function numberOf(path: string): string {
  const { ino, birthtimeNs } = lstatSync(path, { bigint: true });
  return `${ino} ${birthtimeNs}`;
}

/**
 * A journal without content is nobody's yet, also where whoever made it was stopped before the mark. One of SQLite's side
 * files beside it would be its content.
 */
export function markIfNew(stateDir: string): void {
  if (isEmptyJournal(stateDir)) markMadeHere(stateDir);
}

/** Whether there is no journal, or one that nothing was written to. */
export function isEmptyJournal(stateDir: string): boolean {
  const journal = journalIn(stateDir);
  const size = lstatSync(journal, { throwIfNoEntry: false })?.size ?? 0;
  return size === 0 && !SIDE_FILES.some((end) => existsSync(`${journal}${end}`));
}

const SIDE_FILES = ["-wal", "-journal"];

/** Says that this journal is ours, wherever it was made. */
export function markMadeHere(stateDir: string): void {
  const { O_CREAT, O_NOFOLLOW, O_WRONLY } = constants;
  const number = numberOf(journalIn(stateDir));
  const descriptor = openSync(markFile(stateDir), O_WRONLY | O_CREAT | O_NOFOLLOW, 0o600);
  try {
    // Cut behind it and not before: who makes the journal at the same time has written the same, and must not find it gone.
    writeSync(descriptor, number, 0, "latin1");
    ftruncateSync(descriptor, number.length);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

export function isMadeHere(stateDir: string): boolean {
  try {
    if (openToOthers(stateDir) !== null) return false;
    return readFileSync(markFile(stateDir), "latin1") === numberOf(journalIn(stateDir));
  } catch (error) {
    if (!isSystemError(error) && !isDatabaseError(error)) throw error;
    return false;
  }
}

/** The first file of the state that other users may read or write; git and most programs make such files, toolgate does not. */
export function openToOthers(stateDir: string): { readonly name: string; readonly mode: number } | null {
  for (const name of STATE_FILES) {
    const mode = (lstatSync(join(stateDir, name), { throwIfNoEntry: false })?.mode ?? 0) & 0o7777;
    if ((mode & 0o077) !== 0) return { name, mode };
  }
  return null;
}
