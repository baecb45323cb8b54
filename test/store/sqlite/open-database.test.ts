import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { journalFile, openDatabase } from "../../../src/store/sqlite/open-database.ts";
import { FORMAT } from "../../../src/store/sqlite/schema.ts";
import { startProgram } from "../../support/started-program.ts";
import { bring, first, mustCommit } from "../changes.ts";
import { callRows, meddle, openScratch, reportOn } from "../state-dir.ts";
import { openJournal, writeLedger } from "./open-journal.ts";

const openDescriptors = (): number => readdirSync("/proc/self/fd").length;
const locksOn = (path: string): number =>
  readFileSync("/proc/locks", "utf8")
    .split("\n")
    .filter((line) => line.includes(` ${process.pid} `) && line.includes(`:${statSync(path).ino} `)).length;
const modeOf = (path: string): string => (statSync(path).mode & 0o7777).toString(8);

describe("openDatabase", () => {
  it("makes a state directory that only its owner can read", async () => {
    using scratch = openScratch();
    await using journal = openJournal(scratch.stateDir);
    mustCommit(await journal.commit(first("a", "refused")));
    await journal.checkpoint();
    const names = [
      "journal.db",
      "journal.db-wal",
      "journal.db-shm",
      "checkpoints.jsonl",
      "ledger.key",
      "ledger.pub",
      "made-here",
    ];
    expect(names.map((name) => [name, modeOf(join(scratch.stateDir, name))])).toEqual(
      names.map((name) => [name, "600"]),
    );
    expect([modeOf(scratch.stateDir), modeOf(join(scratch.stateDir, "owners"))]).toEqual(["700", "700"]);
  });

  it("makes one that git leaves out, with the administrator's token that may be there before", () => {
    using scratch = openScratch();
    const token = join(scratch.stateDir, "admin.token");
    mkdirSync(scratch.stateDir, { recursive: true });
    writeFileSync(token, "x");
    const opened = openDatabase(scratch.stateDir);
    if (opened.kind === "opened") opened.db.close();
    const git = (...words: string[]): string =>
      execFileSync("git", ["-C", scratch.stateDir, ...words], { encoding: "utf8" });
    git("init", "-q");
    git("add", "--all");
    expect([git("ls-files"), git("status", "--porcelain")]).toEqual(["", ""]);
  });

  it("leaves git alone in a folder that held something else before", () => {
    using scratch = openScratch();
    mkdirSync(scratch.stateDir, { recursive: true });
    writeFileSync(join(scratch.stateDir, "notes.txt"), "x");
    const opened = openDatabase(scratch.stateDir);
    if (opened.kind === "opened") opened.db.close();
    expect(readdirSync(scratch.stateDir)).not.toContain(".gitignore");
  });

  it("leaves syncing to us, and nothing that was deleted behind", () => {
    using scratch = openScratch();
    const opened = openDatabase(scratch.stateDir);
    if (opened.kind === "refused") throw new Error(opened.refusal.message);
    const pragma = (name: string) => opened.db.prepare(`PRAGMA ${name}`).get()?.[name];
    expect(["synchronous", "journal_mode", "secure_delete", "trusted_schema"].map(pragma)).toEqual([1, "wal", 1, 0]);
    opened.db.close();
  });

  it.each([
    ["of an older version", FORMAT - 1, ""],
    ["in this version's journal mode", FORMAT + 1, ""],
    ["in another journal mode", FORMAT + 1, "PRAGMA journal_mode = DELETE;"],
    ["far ahead", 2 ** 31 - 1, ""],
    ["below zero", -(2 ** 31), ""],
  ])("refuses a format that it does not know, %s, names it and changes nothing", async (_, format, more) => {
    using scratch = openScratch();
    await writeLedger(scratch.stateDir, 1);
    meddle(scratch.stateDir, `PRAGMA user_version = ${format}; ${more}`);
    const before = readFileSync(journalFile(scratch.stateDir));
    const opened = openDatabase(scratch.stateDir);
    expect(opened).toMatchObject({ kind: "refused", refusal: { code: "LEDGER_UNAVAILABLE" } });
    expect(JSON.stringify(opened)).toContain(`journal.db\` has format ${format}, `);
    expect(readFileSync(journalFile(scratch.stateDir)).equals(before)).toBe(true);
  });

  it.each([
    ["a trigger", "CREATE TRIGGER quiet BEFORE INSERT ON segments BEGIN SELECT raise(IGNORE); END"],
    ["a trigger with a name like SQLite's", "CREATE TRIGGER sqliteX AFTER INSERT ON segments BEGIN SELECT 1; END"],
    ["a table too many", "CREATE TABLE more (a)"],
    ["a table too few", "DROP TABLE checkpoints"],
    ["a column of another name", "ALTER TABLE calls RENAME COLUMN state TO State"],
  ])("refuses a database with %s", async (_, sql) => {
    using scratch = openScratch();
    await writeLedger(scratch.stateDir, 1);
    meddle(scratch.stateDir, sql);
    const opened = openDatabase(scratch.stateDir);
    expect(opened).toMatchObject({ kind: "refused", refusal: { code: "LEDGER_UNAVAILABLE" } });
    expect(JSON.stringify(opened)).toContain("the tables in the ledger `journal.db` are not those");
  });

  it("opens a database that SQLite's own statistics were added to", async () => {
    using scratch = openScratch();
    await writeLedger(scratch.stateDir, 1);
    meddle(scratch.stateDir, "ANALYZE");
    const opened = openDatabase(scratch.stateDir);
    expect(opened.kind).toBe("opened");
    if (opened.kind === "opened") opened.db.close();
  });

  it("opens the format just at the border", async () => {
    using scratch = openScratch();
    await writeLedger(scratch.stateDir, 1);
    meddle(scratch.stateDir, `PRAGMA user_version = ${FORMAT}`);
    const opened = openDatabase(scratch.stateDir);
    expect(opened.kind).toBe("opened");
    if (opened.kind === "opened") opened.db.close();
  });

  it("throws what SQLite throws for what is no database, and leaves no connection", () => {
    using scratch = openScratch();
    mkdirSync(scratch.stateDir);
    writeFileSync(journalFile(scratch.stateDir), "not a database, but longer than the header of one: ".repeat(99));
    const before = openDescriptors();
    expect(() => openDatabase(scratch.stateDir)).toThrow("file is not a database");
    expect(openDescriptors()).toBe(before);
  });

  // Closing a descriptor drops every POSIX lock that the process holds on the file. Another process may then take the
  // log for abandoned and remove it as it leaves, with what the first one wrote and will write.
  it("does not let go of the locks of a journal that is open in this process already", async () => {
    using scratch = openScratch();
    const { stateDir } = scratch;
    const one = openJournal(stateDir, { owner: "owner_1" });
    const two = openJournal(stateDir, { owner: "owner_2" });
    await bring(one, "a", "refused");
    expect(locksOn(journalFile(stateDir))).toBeGreaterThan(0);
    await bring(two, "b", "refused");
    expect(locksOn(journalFile(stateDir))).toBeGreaterThan(0);
    await startProgram("visits-journal.ts", [stateDir, "c"]).ended();
    await bring(one, "d", "refused");
    await startProgram("visits-journal.ts", [stateDir, "e"]).ended();
    await bring(two, "f", "refused");
    await one.close();
    await two.close();
    expect(callRows(stateDir).map(({ callId }) => callId)).toEqual(["a", "b", "c", "d", "e", "f"]);
    expect(await reportOn(stateDir)).toMatchObject({ ok: true, entries: 6 });
  });
});
