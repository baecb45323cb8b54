import type { Refusal } from "../../domain/outcome.ts";
import { WRITE_FAULTS } from "../../domain/write-faults.ts";

/** Of what SQLite and the system say of a file, as far as Node tells it by a code. */
const FILE_CODES: ReadonlySet<unknown> = new Set([
  "ERR_SQLITE_ERROR",
  "EACCES",
  "EPERM",
  "EROFS",
  "ENOSPC",
  "EDQUOT",
  "EIO",
]);

/** Result codes of SQLite (sqlite.org/rescode.html) that are the disk's doing: READONLY, FULL. */
const SQLITE_AS = { 8: "EROFS", 13: "ENOSPC" } as const;

/** What a command says that could not read the ledger, which is the disk's doing and not a mistake of ours; null = it is one. */
export function ledgerRefusal(error: unknown): Refusal | null {
  if (!(error instanceof Error)) return null;
  const { cause, code, errstr, errcode } = error as {
    cause?: Partial<Refusal>;
    code?: unknown;
    errstr?: unknown;
    errcode?: unknown;
  };
  if (cause?.code === "LEDGER_UNAVAILABLE") return cause as Refusal;
  if (!FILE_CODES.has(code)) return null;
  const fault = WRITE_FAULTS[SQLITE_AS[(Number(errcode) & 0xff) as keyof typeof SQLITE_AS] ?? String(code)];
  if (fault !== undefined) {
    const message = `the ledger can't be written: ${fault.because}`;
    return { code: "LEDGER_UNAVAILABLE", stage: "journal", message, hint: fault.hint };
  }
  return {
    code: "LEDGER_UNAVAILABLE",
    stage: "journal",
    message: `the ledger can't be used (${typeof errstr === "string" ? errstr : code})`,
    hint: "check that the state directory belongs to you and is writable; `toolgate ledger verify` says whether it is damaged",
  };
}
