import type { Refusal } from "../../domain/outcome.ts";

/** What went wrong with the database, as far as it changes what we do next. */
export type SqliteFault = "busy" | "full" | "corrupt" | "lost" | "other";

/** Primary result codes of SQLite, from its documentation. */
const FAULTS: Record<number, SqliteFault> = {
  5: "busy", // SQLITE_BUSY: another process holds the lock
  6: "busy", // SQLITE_LOCKED
  10: "lost", // SQLITE_IOERR: after a failed sync nobody knows what is on the disk
  11: "corrupt", // SQLITE_CORRUPT
  13: "full", // SQLITE_FULL: rolled back cleanly, works again when there is room
  26: "corrupt", // SQLITE_NOTADB
};

/** SQLITE_IOERR_WRITE, _SHMSIZE and _SHMMAP: failed before the sync, so nothing was committed and trying again is safe. */
const IOERR_BEFORE_SYNC = new Set([10 | (3 << 8), 10 | (19 << 8), 10 | (21 << 8)]);

const SYNCS = new Set<unknown>(["fsync", "fdatasync"]);

export function sqliteFault(error: unknown): SqliteFault {
  const { code, syscall } = (error ?? {}) as { code?: unknown; syscall?: unknown };
  // Of the log or a file beside it: a disk that could not sync the one is not trusted with the other, whatever kept it.
  if (code === "EIO" || SYNCS.has(syscall)) return "lost";
  const errcode = (error as { errcode?: unknown } | null)?.errcode;
  if (typeof errcode !== "number") return "other";
  if (IOERR_BEFORE_SYNC.has(errcode)) return "full";
  return FAULTS[errcode & 0xff] ?? "other";
}

const HINTS: Record<SqliteFault, string> = {
  busy: "another process holds the ledger; call again, and look for a process that is stuck if it stays so",
  full: "the disk is full; make room and call again",
  corrupt: "the file is damaged; `toolgate ledger verify` says where, then put back a copy",
  lost: "the disk failed while writing; check it, then start again: nothing more is run until then",
  other: "check that the state directory exists, belongs to you and is writable",
};

/** Names the file and never its folder: what leaves the gate tells nothing of the machine. */
export const ledgerUnavailable = (fault: SqliteFault, reason: string): Refusal => ({
  code: "LEDGER_UNAVAILABLE",
  stage: "journal",
  message: `the ledger \`journal.db\` can't be written (${reason}), so nothing runs`,
  hint: HINTS[fault],
});

export const reasonOf = (error: unknown): string => {
  const errstr = (error as { errstr?: unknown } | null)?.errstr;
  if (typeof errstr === "string") return errstr;
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === "string" ? code : "unexpected error";
};
