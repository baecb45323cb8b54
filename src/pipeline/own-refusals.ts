import type { Code } from "../domain/codes.ts";
import type { Refusal } from "../domain/outcome.ts";

/** Our own mistake, before anything ran. */
export const FAULT: Refusal = {
  code: "FAULT",
  stage: "finish",
  message: "the gate made a mistake and ran nothing",
  hint: "please report it with the ledger entry's number",
};

export const CANCELLED: Refusal = {
  code: "CANCELLED",
  stage: "approve",
  message: "the call was cancelled before it started",
};

/** Somebody else was faster, and what becomes of the call is theirs to tell. */
export const TAKEN: Refusal = {
  code: "ILLEGAL_TRANSITION",
  stage: "journal",
  message: "somebody else has taken this call",
  hint: "`toolgate ledger show` tells how it ends",
};

/** The journal is there, and can be told of these. */
export const WRITABLE: ReadonlySet<Code> = new Set(["BUDGET_EXCEEDED", "STORAGE_FULL", "IO_ERROR", "BLOB_TOO_LARGE"]);
