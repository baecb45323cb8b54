import { closeSync, openSync, readFileSync, statSync, writeSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { LogRoom } from "../../../src/store/sqlite/log-room.ts";
import { LogSync } from "../../../src/store/sqlite/log-sync.ts";
import { journalFile, openDatabase } from "../../../src/store/sqlite/open-database.ts";
import { handClock } from "../../support/hand-clock.ts";
import { first, mustCommit } from "../changes.ts";
import { startCommitting } from "../committing-program.ts";
import { openScratch, reportOn, statesOf } from "../state-dir.ts";
import { openJournal } from "./open-journal.ts";
import { breakSyncs } from "./own-log.ts";

const ROOM = 4 * 2 ** 20;

function openRoom(durability: "full" | "normal" = "full") {
  const scratch = openScratch();
  const { stateDir } = scratch;
  const opened = openDatabase(stateDir);
  if (opened.kind === "refused") throw new Error(opened.refusal.message);
  const { db } = opened;
  const logSync = new LogSync(db, { stateDir, durability, clock: handClock() });
  const path = `${journalFile(stateDir)}-wal`;
  const dispose = () => {
    logSync.close();
    db.close();
    scratch[Symbol.dispose]();
  };
  return {
    db,
    stateDir,
    room: new LogRoom(db, { stateDir, logSync }),
    logSync,
    log: () => readFileSync(path),
    size: () => statSync(path).size,
    [Symbol.dispose]: dispose,
  };
}

/** Behind the turn in which room is begun to be made, and what it waits for. */
async function settled(room: LogRoom): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
  await room.close();
}

describe("LogRoom", () => {
  it("puts zeros behind what is there, up to where SQLite begins anew, and nothing more", async () => {
    using opened = openRoom();
    opened.db.exec("INSERT INTO notes (kind, last_seq) VALUES ('x', 1)");
    const before = opened.log();
    expect(before.length).toBeGreaterThan(0);
    await opened.room.make();
    const after = opened.log();
    expect(after).toHaveLength(ROOM);
    expect(after.subarray(0, before.length).equals(before)).toBe(true);
    expect(after.subarray(before.length).every((byte) => byte === 0)).toBe(true);
    await opened.room.make();
    expect(opened.size()).toBe(ROOM);
  });

  it("is filled by SQLite from where the log ends, which does not grow until it is full", async () => {
    using opened = openRoom();
    await opened.room.make();
    for (let n = 0; n < 150; n++)
      opened.db.exec(`INSERT OR REPLACE INTO notes (kind, last_seq) VALUES ('x${n}', ${n})`);
    expect(opened.size()).toBe(ROOM);
    // Who opens it beside us has to read the log, and finds all of it.
    using other = new DatabaseSync(journalFile(opened.stateDir), { readOnly: true });
    expect(other.prepare("SELECT count(*) AS n FROM notes WHERE kind LIKE 'x%'").get()).toEqual({ n: 150 });
    expect(other.prepare("PRAGMA integrity_check").get()).toEqual({ integrity_check: "ok" });
  });

  it.each([
    [3, false],
    [4, true],
  ])("is made after %i commits: %s", async (commits, isMade) => {
    using opened = openRoom();
    const before = opened.size();
    for (let n = 0; n < commits; n++) opened.room.committed();
    expect(opened.size()).toBe(before); // not while the commit's answers wait
    await new Promise((resolve) => setImmediate(resolve));
    expect(opened.size() > before).toBe(isMade);
    await opened.room.close();
  });

  it("is not made where no sync is waited for", async () => {
    using opened = openRoom("normal");
    const before = opened.size();
    for (let n = 0; n < 10; n++) opened.room.committed();
    await settled(opened.room);
    expect(opened.size()).toBe(before);
  });

  it("is not made while another process writes, and is made when there are more commits", async () => {
    using opened = openRoom();
    using other = new DatabaseSync(journalFile(opened.stateDir));
    other.exec("BEGIN IMMEDIATE");
    const before = opened.size();
    await opened.room.make();
    expect(opened.size()).toBe(before);
    other.exec("COMMIT");
    for (let n = 0; n < 4; n++) opened.room.committed();
    await new Promise((resolve) => setImmediate(resolve));
    expect(opened.size()).toBeGreaterThan(before);
    await opened.room.close();
  });

  it("leaves the next commit to hear of a sync that failed", async () => {
    using opened = openRoom();
    breakSyncs();
    await opened.room.make();
    expect(() => opened.logSync.mustBeSound()).toThrow("EBADF");
  });

  it("stops when the journal closes, which takes all of it away", async () => {
    using scratch = openScratch();
    const journal = openJournal(scratch.stateDir);
    for (const id of ["a", "b", "c", "d", "e"]) mustCommit(await journal.commit(first(id, "refused")));
    await journal.close();
    expect(() => statSync(`${journalFile(scratch.stateDir)}-wal`)).toThrow("ENOENT");
    expect(await reportOn(scratch.stateDir)).toMatchObject({ ok: true, entries: 5, anchoredTo: 5 });
  });

  it("holds nothing up after kill -9: what was acknowledged is there, whatever lies behind it", async () => {
    using scratch = openScratch();
    const path = `${journalFile(scratch.stateDir)}-wal`;
    {
      await using journal = startCommitting(scratch.stateDir, { durability: "full" });
      for (let n = 0; n < 8; n++) expect(await journal.commit(`k${n}`)).toEqual(["committed"]);
      await expect.poll(() => statSync(path).size).toBe(ROOM);
      expect(await journal.commit("last")).toEqual(["committed"]);
      await journal.kill();
    }
    expect(Object.keys(statesOf(scratch.stateDir))).toHaveLength(9);
    expect(await reportOn(scratch.stateDir)).toMatchObject({ entries: 9 });
  });

  it("takes a log of zeros alone for an empty one", async () => {
    using opened = openRoom();
    const { stateDir } = opened;
    opened.db.close();
    const fd = openSync(`${journalFile(stateDir)}-wal`, "w", 0o600);
    writeSync(fd, Buffer.alloc(65_536));
    closeSync(fd);
    opened.db.open();
    expect(opened.db.prepare("PRAGMA integrity_check").get()).toEqual({ integrity_check: "ok" });
  });
});
