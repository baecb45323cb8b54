import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { FORMAT, prepareTables } from "../../../src/store/sqlite/schema.ts";
import { startProgram } from "../../support/started-program.ts";
import { callRows, openScratch, reportOn } from "../state-dir.ts";

const open = (format = 0): DatabaseSync => {
  const db = new DatabaseSync(":memory:");
  db.exec(`PRAGMA user_version = ${format}`);
  return db;
};
const tables = (db: DatabaseSync): unknown[] =>
  db
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
    .all()
    .map((row) => row["name"]);
const formatOf = (db: DatabaseSync): unknown => db.prepare("PRAGMA user_version").get()?.["user_version"];

describe("prepareTables", () => {
  it("makes the tables in an empty database, and does nothing the second time", () => {
    const db = open();
    expect(prepareTables(db)).toEqual({ kind: "ready" });
    expect([tables(db), formatOf(db)]).toEqual([
      [
        "budgets",
        "calls",
        "checkpoints",
        "dedupe",
        "holdings",
        "key_room",
        "notes",
        "origins",
        "questions",
        "segments",
        "sessions",
      ],
      FORMAT,
    ]);
    const before = db.prepare("PRAGMA schema_version").get();
    expect(prepareTables(db)).toEqual({ kind: "ready" });
    expect(db.prepare("PRAGMA schema_version").get()).toEqual(before);
  });

  it.each([1, FORMAT - 1, FORMAT + 1, 2 ** 31 - 1, -1, -(2 ** 31)])("leaves format %d alone", (format) => {
    const db = open(format);
    expect(prepareTables(db)).toEqual({ kind: "other format", found: format });
    expect([tables(db), formatOf(db)]).toEqual([[], format]);
  });

  it("rolls back when a table exists already", () => {
    const db = open();
    db.exec("CREATE TABLE calls (a)"); // in the way of the second statement
    expect(() => prepareTables(db)).toThrow("table calls already exists");
    expect([tables(db), formatOf(db), db.isTransaction]).toEqual([["calls"], 0, false]);
  });

  it("makes the tables once when several processes start at the same time", async () => {
    using scratch = openScratch();
    const ids = ["a", "b", "c", "d"];
    await Promise.all(ids.map((id) => startProgram("visits-journal.ts", [scratch.stateDir, id]).ended()));
    expect(
      callRows(scratch.stateDir)
        .map(({ callId }) => callId)
        .toSorted(),
    ).toEqual(ids);
    expect(await reportOn(scratch.stateDir)).toMatchObject({ ok: true, entries: 4, anchoredTo: 4 });
  });
});
