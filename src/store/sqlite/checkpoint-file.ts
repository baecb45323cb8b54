import { closeSync, fstatSync, fsyncSync, ftruncateSync, openSync, readFileSync, readSync, writeSync } from "node:fs";
import { join } from "node:path";

/** The signed checkpoints once more, outside the database: who cuts the one is told by the other. */
export const checkpointFile = (stateDir: string): string => join(stateDir, "checkpoints.jsonl");

/** Several times the length of a line. */
const TAIL_BYTES = 4096;

/** Null: there is no file. A last line without its end was torn by a crash and counts as not written. */
export function readCheckpointFile(path: string): readonly string[] | null {
  try {
    return wholeLines(readFileSync(path, "utf8"));
  } catch (error) {
    if ((error as { code?: unknown }).code === "ENOENT") return null;
    throw error;
  }
}

/** The last line, however long the file has become. */
export function lastCheckpointLine(path: string): string | null {
  const fd = openSync(path, "a+", 0o600);
  try {
    return wholeLines(tailOf(fd).toString("utf8")).at(-1) ?? null;
  } finally {
    closeSync(fd);
  }
}

/** To be called with the database's write lock held, so that the lines of several processes don't mix. */
export function appendCheckpoints(path: string, lines: readonly string[]): void {
  const fd = openSync(path, "a+", 0o600);
  try {
    const tail = tailOf(fd);
    const torn = tail.length - (tail.lastIndexOf("\n") + 1);
    // A torn line was never acknowledged, and its checkpoint is in the store: it is among `lines` again.
    if (torn > 0) ftruncateSync(fd, fstatSync(fd).size - torn);
    writeSync(fd, lines.map((line) => `${line}\n`).join(""));
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

function tailOf(fd: number): Buffer {
  const { size } = fstatSync(fd);
  const tail = Buffer.alloc(Math.min(size, TAIL_BYTES));
  readSync(fd, tail, 0, tail.length, size - tail.length);
  return tail;
}

const wholeLines = (text: string): readonly string[] => text.split("\n").slice(0, -1);
