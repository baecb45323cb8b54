import type { Refusal } from "../../domain/outcome.ts";
import { FORMAT } from "./schema.ts";
import { reasonOf } from "./sqlite-fault.ts";

/** Why there is nothing to judge. The codes are part of `ledger verify --json`. */
export interface Unreadable {
  readonly code: "MISSING" | "FOREIGN_FILE" | "NOT_A_LEDGER" | "OTHER_FORMAT" | "OTHER_KEY" | "UNREADABLE";
  readonly reason: string;
  /** What to do next. */
  readonly hint: string;
}

/** What a file that can't be read as a ledger throws. Its message is for people, and names no folder. */
export class UnreadableLedger extends Error {
  readonly unreadable: Unreadable;

  constructor(unreadable: Unreadable) {
    const { reason: message, hint } = unreadable;
    super(message, { cause: { code: "LEDGER_UNAVAILABLE", stage: "journal", message, hint } satisfies Refusal });
    this.unreadable = unreadable;
  }
}

export const MISSING: Unreadable = {
  code: "MISSING",
  reason: "MISSING: there is no `journal.db`",
  hint: "the first call makes one; if there were calls before, restore the state directory from a backup",
};

export const foreignFile = (name: string): Unreadable => ({
  code: "FOREIGN_FILE",
  reason: `\`${name}\` is not a file that toolgate made`,
  hint: "did the state directory come with the workspace? move it away, and a new one is made",
});

export const NO_TABLES: Unreadable = {
  code: "NOT_A_LEDGER",
  reason: "`journal.db` holds no ledger: it is empty",
  hint: "if there were calls before, put back a copy; else move the state directory away, and a new one is made",
};

export const otherTables = (missing: string): Unreadable => ({
  code: "NOT_A_LEDGER",
  reason: `\`journal.db\` holds no ledger: it has no table \`${missing}\``,
  hint: "it is the database of something else, or was damaged; put back a copy",
});

export const otherFormat = (found: number): Unreadable => ({
  code: "OTHER_FORMAT",
  reason: `\`journal.db\` has format ${found}, and this version of toolgate reads only format ${FORMAT}`,
  hint: "use the version of toolgate that wrote it",
});

export const otherKey = (key: string | null): Unreadable => ({
  code: "OTHER_KEY",
  reason: `the key beside the ledger is \`${key ?? "missing"}\` and not the one expected`,
  hint: "compare `ledger.pub` with a backup; who replaced it could have signed another ledger",
});

/** Whatever kept the ledger from being read. */
export const unreadableBy = (error: unknown): Unreadable =>
  error instanceof UnreadableLedger
    ? error.unreadable
    : {
        code: "UNREADABLE",
        reason: `\`journal.db\` can't be read: ${reasonOf(error)}`,
        hint: "check that the files of the state directory belong to you; where they are damaged, put back a copy",
      };
