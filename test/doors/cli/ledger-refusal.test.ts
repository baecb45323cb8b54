import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { ledgerRefusal } from "../../../src/doors/cli/ledger-refusal.ts";

const thrown = (act: () => unknown): unknown => {
  try {
    return act();
  } catch (error) {
    return error;
  }
};

describe("ledgerRefusal", () => {
  it.each<[string, unknown, string | undefined]>([
    [
      "what SQLite says",
      thrown(() => new DatabaseSync(":memory:").exec("nonsense")),
      "the ledger can't be used (SQL logic error)",
    ],
    [
      "what the system says",
      Object.assign(new Error("x"), { code: "EROFS" }),
      "the ledger can't be written: the file system is read-only",
    ],
    ["a full disk", Object.assign(new Error("x"), { code: "ENOSPC" }), "the ledger can't be written: the disk is full"],
    [
      "a full disk, as SQLite says it",
      Object.assign(new Error("x"), { code: "ERR_SQLITE_ERROR", errcode: 13, errstr: "database or disk is full" }),
      "the ledger can't be written: the disk is full",
    ],
    [
      "a read-only file, as SQLite says it",
      Object.assign(new Error("x"), { code: "ERR_SQLITE_ERROR", errcode: 1032, errstr: "attempt to write" }),
      "the ledger can't be written: the file system is read-only",
    ],
    [
      "what the journal refuses",
      new Error("newer", { cause: { code: "LEDGER_UNAVAILABLE", stage: "journal", message: "newer" } }),
      "newer",
    ],
    ["a mistake of ours", new TypeError("x is not a function"), undefined],
    ["another code", Object.assign(new Error("x"), { code: "ERR_INVALID_ARG_TYPE" }), undefined],
    ["no error at all", "x", undefined],
  ])("%s", (_, error, message) => {
    expect(ledgerRefusal(error)?.message).toBe(message);
  });
});
