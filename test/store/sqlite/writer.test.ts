import type { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { GENESIS_HASH, sealEntry } from "../../../src/ledger/chain.ts";
import { openDatabase } from "../../../src/store/sqlite/open-database.ts";
import { Writer } from "../../../src/store/sqlite/writer.ts";
import { codeOf, draftFor, first, next } from "../changes.ts";
import { openScratch } from "../state-dir.ts";

function openWriter() {
  const scratch = openScratch();
  const opened = openDatabase(scratch.stateDir);
  if (opened.kind === "refused") throw new Error(opened.refusal.message);
  const { db } = opened;
  const dispose = () => {
    db.close();
    scratch[Symbol.dispose]();
  };
  return { db, stateDir: scratch.stateDir, writer: new Writer(db), [Symbol.dispose]: dispose };
}

const count = (db: DatabaseSync, table: string): number =>
  Number(db.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.["n"]);

describe("Writer", () => {
  it("begins the chain, and goes on from its head", () => {
    using opened = openWriter();
    const { writer } = opened;
    expect(writer.head()).toEqual({ seq: 0, hash: GENESIS_HASH });
    writer.write([first("a", "refused")]);
    const one = sealEntry(draftFor("a"), 1, GENESIS_HASH);
    expect(writer.head()).toEqual({ seq: 1, hash: one.hash });
    writer.write([first("b", "refused", { entries: [{}, {}] })]);
    expect(writer.head().seq).toBe(3);
  });

  it("stores the row of a call with the place of its entries", () => {
    using opened = openWriter();
    const { db, writer } = opened;
    writer.write([first("z", "refused"), first("a", "executing", { entries: [{}, {}] }), first("b", "refused")]);
    writer.write([next("a", "executing", "completed")]);
    expect(db.prepare("SELECT * FROM calls WHERE call_id = 'a'").get()).toEqual({
      call_id: "a",
      state: "completed",
      project: "default",
      session_id: "session_1",
      owner: "owner_a",
      host: "here",
      tool: "count",
      caller: "attended",
      first_seq: 2,
      last_seq: 5,
    });
  });

  it("writes all of a batch or, when the database fails, nothing", () => {
    using opened = openWriter();
    const { db, writer } = opened;
    writer.write([first("a", "refused")]);
    db.exec("CREATE TRIGGER full_up BEFORE INSERT ON entries WHEN new.seq = 4 BEGIN SELECT raise(ABORT, 'full'); END");
    expect(() => writer.write(["b", "c", "d"].map((id) => first(id, "refused")))).toThrow("full");
    expect([count(db, "entries"), count(db, "calls"), db.isTransaction]).toEqual([1, 1, false]);
    db.exec("DROP TRIGGER full_up");
    expect(writer.write(["b", "c", "d"].map((id) => first(id, "refused"))).map(codeOf)).toEqual(
      Array(3).fill("committed"),
    );
    expect(writer.head().seq).toBe(4);
  });

  it("does not fork the chain when two take turns", () => {
    using opened = openWriter();
    const other = openDatabase(opened.stateDir);
    if (other.kind === "refused") throw new Error(other.refusal.message);
    const writers = [opened.writer, new Writer(other.db)];
    for (let n = 0; n < 10; n++) writers[n % 2]?.write([first(`c${n}`, "refused")]);
    expect(writers.map((writer) => writer.head().seq)).toEqual([10, 10]);
    other.db.close();
  });

  it("throws while another has the lock, and leaves no transaction open", () => {
    using opened = openWriter();
    const other = openDatabase(opened.stateDir);
    if (other.kind === "refused") throw new Error(other.refusal.message);
    other.db.exec("BEGIN IMMEDIATE");
    expect(() => opened.writer.write([first("a", "refused")])).toThrow("database is locked");
    expect(opened.db.isTransaction).toBe(false);
    other.db.exec("ROLLBACK");
    other.db.close();
    expect(opened.writer.write([first("a", "refused")]).map(codeOf)).toEqual(["committed"]);
  });
});
