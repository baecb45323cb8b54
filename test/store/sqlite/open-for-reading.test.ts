import { execFileSync } from "node:child_process";
import { cpSync, existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { journalFile } from "../../../src/store/sqlite/open-database.ts";
import { bring } from "../changes.ts";
import { openScratch } from "../state-dir.ts";
import { openJournal, writeLedger } from "./open-journal.ts";

const PROGRAM = join(import.meta.dirname, "../../programs/reads-ledger.ts");

/** What a process reads that can write nowhere. */
function readWithoutWriting(stateDir: string): unknown {
  const world = ["--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev"];
  const command = [...world, process.execPath, "--no-warnings", PROGRAM, stateDir];
  return JSON.parse(execFileSync("bwrap", command, { encoding: "utf8" }));
}

describe.skipIf(!existsSync("/usr/bin/bwrap"))("a ledger where nobody can write (skipped: needs bubblewrap)", () => {
  it("is read and verified as it stands, and nothing is put beside it", async () => {
    using scratch = openScratch();
    await writeLedger(scratch.stateDir, 3);
    expect(readWithoutWriting(scratch.stateDir)).toEqual({ ok: true, size: 6 });
    expect(existsSync(`${journalFile(scratch.stateDir)}-shm`)).toBe(false);
  });

  it("is read with what others have written and not put in its place yet", async () => {
    using scratch = openScratch();
    await using journal = openJournal(scratch.stateDir);
    await bring(journal, "c1", "completed");
    await journal.checkpoint();
    expect(readWithoutWriting(scratch.stateDir)).toEqual({ ok: true, size: 2 });
  });

  it("is not read without what a crash left in the log", async () => {
    using scratch = openScratch();
    using copy = openScratch();
    await using journal = openJournal(scratch.stateDir);
    await bring(journal, "c1", "completed");
    cpSync(scratch.stateDir, copy.stateDir, { recursive: true, filter: (path) => !path.endsWith("-shm") });
    expect(readWithoutWriting(copy.stateDir)).toEqual({ reason: expect.stringContaining("can't be read") });
  });
});
