import type { Refusal } from "../../domain/outcome.ts";

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

/** What a command says that could not read the ledger, which is the disk's doing and not a mistake of ours; null = it is one. */
export function ledgerRefusal(error: unknown): Refusal | null {
  if (!(error instanceof Error)) return null;
  const { cause, code, errstr } = error as { cause?: Partial<Refusal>; code?: unknown; errstr?: unknown };
  if (cause?.code === "LEDGER_UNAVAILABLE") return cause as Refusal;
  if (!FILE_CODES.has(code)) return null;
  return {
    code: "LEDGER_UNAVAILABLE",
    stage: "journal",
    message: `the ledger can't be used (${typeof errstr === "string" ? errstr : code})`,
    hint: "check that the state directory belongs to you and is writable; `toolgate ledger verify` says whether it is damaged",
  };
}
