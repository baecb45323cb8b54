import { describe, expect, it } from "vitest";
import { ledgerUnavailable, reasonOf, type SqliteFault, sqliteFault } from "../../../src/store/sqlite/sqlite-fault.ts";

const sqlite = (errcode: number, errstr = "") => ({ code: "ERR_SQLITE_ERROR", errcode, errstr });
const extended = (primary: number, which: number): number => primary | (which << 8);

/** sqlite.org/rescode.html */
const CASES: readonly (readonly [string, unknown, SqliteFault])[] = [
  ["SQLITE_ERROR", sqlite(1), "other"],
  ["SQLITE_PERM", sqlite(3), "other"],
  ["SQLITE_BUSY", sqlite(5), "busy"],
  ["SQLITE_BUSY_RECOVERY", sqlite(extended(5, 1)), "busy"],
  ["SQLITE_BUSY_SNAPSHOT", sqlite(extended(5, 2)), "busy"],
  ["SQLITE_LOCKED", sqlite(6), "busy"],
  ["SQLITE_READONLY", sqlite(8), "other"],
  ["SQLITE_READONLY_DIRECTORY", sqlite(extended(8, 6)), "other"],
  ["SQLITE_IOERR", sqlite(10), "lost"],
  ["SQLITE_IOERR_READ", sqlite(extended(10, 1)), "lost"],
  ["SQLITE_IOERR_SHORT_READ", sqlite(extended(10, 2)), "lost"],
  ["SQLITE_IOERR_WRITE", sqlite(extended(10, 3)), "full"],
  ["SQLITE_IOERR_FSYNC", sqlite(extended(10, 4)), "lost"],
  ["SQLITE_IOERR_DIR_FSYNC", sqlite(extended(10, 5)), "lost"],
  ["SQLITE_IOERR_TRUNCATE", sqlite(extended(10, 6)), "lost"],
  ["SQLITE_IOERR_SHMOPEN", sqlite(extended(10, 18)), "lost"],
  ["SQLITE_IOERR_SHMSIZE", sqlite(extended(10, 19)), "full"],
  ["SQLITE_IOERR_SHMLOCK", sqlite(extended(10, 20)), "lost"],
  ["SQLITE_IOERR_SHMMAP", sqlite(extended(10, 21)), "full"],
  ["SQLITE_CORRUPT", sqlite(11), "corrupt"],
  ["SQLITE_CORRUPT_INDEX", sqlite(extended(11, 3)), "corrupt"],
  ["SQLITE_FULL", sqlite(13), "full"],
  ["SQLITE_CANTOPEN", sqlite(14), "other"],
  ["SQLITE_NOTADB", sqlite(26), "corrupt"],
  ["a sync of another file that failed", Object.assign(new Error("EIO"), { code: "EIO" }), "lost"],
  [
    "a sync that failed for want of room",
    Object.assign(new Error("ENOSPC"), { code: "ENOSPC", syscall: "fdatasync" }),
    "lost",
  ],
  [
    "a sync that failed for another reason",
    Object.assign(new Error("EROFS"), { code: "EROFS", syscall: "fsync" }),
    "lost",
  ],
  [
    "a write that failed for want of room",
    Object.assign(new Error("ENOSPC"), { code: "ENOSPC", syscall: "write" }),
    "other",
  ],
  ["another error of the system", Object.assign(new Error("EACCES"), { code: "EACCES" }), "other"],
  ["our own mistake", new TypeError("oops"), "other"],
  ["something thrown that is no error", "oops", "other"],
  ["nothing thrown", null, "other"],
];

describe("sqliteFault", () => {
  it.each(CASES)("%s", (_, error, fault) => {
    expect(sqliteFault(error)).toBe(fault);
  });
});

describe("reasonOf", () => {
  it.each([
    ["SQLite's words", sqlite(11, "database disk image is malformed"), "database disk image is malformed"],
    ["the system's code", Object.assign(new Error("/secret/path"), { code: "EACCES" }), "EACCES"],
    ["nothing of what our own mistakes say", new TypeError("/secret/path"), "unexpected error"],
    ["nothing at all", null, "unexpected error"],
  ])("gives %s", (_, error, reason) => {
    expect(reasonOf(error)).toBe(reason);
  });
});

describe("ledgerUnavailable", () => {
  it("names the file, the reason and what to do", () => {
    for (const [, error, fault] of CASES) {
      const { code, message, hint } = ledgerUnavailable(fault, reasonOf(error));
      expect(code).toBe("LEDGER_UNAVAILABLE");
      expect(message).toContain("`journal.db`");
      expect(hint).not.toBe("");
    }
  });
});
