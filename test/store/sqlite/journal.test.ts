import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { handClock } from "../../support/hand-clock.ts";
import { codeOf, first, mustCommit } from "../changes.ts";
import { describeJournal } from "../journal-contract.ts";
import { openScratch, reportOn, statesOf } from "../state-dir.ts";
import { openJournal, openSqliteStore } from "./open-journal.ts";

describeJournal("SQLite", () => openSqliteStore("full"));
describeJournal("SQLite without a sync at each commit", () => openSqliteStore("normal"));

describe("SqliteJournal", () => {
  it("opens nothing before the first commit, and closes what was never opened", async () => {
    using scratch = openScratch();
    await openJournal(scratch.stateDir).close();
    expect(() => rmSync(scratch.stateDir)).toThrow("ENOENT");
  });

  it("works once it can, where it could not be opened at first", async () => {
    using scratch = openScratch();
    await using journal = openJournal(scratch.stateDir);
    writeFileSync(scratch.stateDir, "a file in the way");
    expect(codeOf(await journal.commit(first("a", "refused")))).toBe("LEDGER_UNAVAILABLE");
    rmSync(scratch.stateDir);
    mkdirSync(scratch.stateDir);
    expect(codeOf(await journal.commit(first("b", "refused")))).toBe("committed");
    expect(statesOf(scratch.stateDir)).toEqual({ b: "refused" });
  });

  it("waits for what is under way before it closes", async () => {
    using scratch = openScratch();
    const journal = openJournal(scratch.stateDir);
    const committed = Promise.all(["a", "b", "c"].map((id) => journal.commit(first(id, "refused"))));
    await journal.close();
    for (const each of await committed) mustCommit(each);
    expect(await reportOn(scratch.stateDir)).toMatchObject({ ok: true, entries: 3, anchoredTo: 3 });
  });

  it("leaves no timer behind when it is closed", async () => {
    using scratch = openScratch();
    const clock = handClock();
    const journal = openJournal(scratch.stateDir, { clock });
    mustCommit(await journal.commit(first("a", "refused")));
    expect(clock.waiting()).toBe(1);
    await journal.close();
    expect(clock.waiting()).toBe(0);
  });
});
