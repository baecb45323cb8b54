import type { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { NOTHING_SPENT, UNLIMITED } from "../../../src/domain/budget.ts";
import { digestOfText } from "../../../src/domain/digest.ts";
import type { EntryDraft } from "../../../src/domain/entry.ts";
import type { NewQuestion } from "../../../src/domain/question.ts";
import { GENESIS_HASH, linkOf, sealEntry } from "../../../src/ledger/chain.ts";
import { openDatabase } from "../../../src/store/sqlite/open-database.ts";
import { STATE_CODE } from "../../../src/store/sqlite/state-code.ts";
import { type Note, Writer } from "../../../src/store/sqlite/writer.ts";
import { asked, codeOf, draftFor, first, keptCall, next } from "../changes.ts";
import { readRows, readSegments } from "../entries-table.ts";
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

const noteOf = (entry: EntryDraft): Note => ({ kind: entry.kind, entries: () => [entry] });

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
      state: STATE_CODE.completed,
      origin: 1,
      tool: "count",
      first_seq: 2,
      last_seq: 5,
    });
  });

  it("makes several of what is very long, which are one chain", () => {
    using opened = openWriter();
    const { db, writer } = opened;
    const names = Array.from({ length: 700 }, (_, i) => `call-${i}`);
    writer.write(names.map((name) => first(name, "refused")));
    expect(readSegments(db).length).toBeGreaterThan(1);
    const rows = readRows(db);
    expect(rows.map(({ seq }) => seq)).toEqual(names.map((_, i) => i + 1));
    expect(rows.map(({ text }) => linkOf(text)?.prev)).toEqual([
      GENESIS_HASH,
      ...rows.slice(0, -1).map(({ hash }) => hash),
    ]);
    expect(writer.head()).toEqual({ seq: 700, hash: rows.at(-1)?.hash });
    expect(new Writer(db).head()).toEqual(writer.head());
  });

  it("makes one segment of what it writes at once, and none of what it does not write", () => {
    using opened = openWriter();
    const { db, writer } = opened;
    writer.write([first("a", "refused", { entries: [{}, {}] }), first("a", "refused"), first("b", "refused")]);
    writer.write([first("a", "refused")]);
    writer.write([noteOf(draftFor("n"))]);
    const segments = readSegments(db);
    expect(segments.map(({ firstSeq, lines }) => [firstSeq, lines.split("\n").length])).toEqual([
      [1, 3],
      [4, 1],
    ]);
    for (const { hash, text } of readRows(db)) expect(digestOfText(text)).toBe(hash);
  });

  it.each(["approved", "executing", "refused"] as const)("lets no question become %s without a yes", (to) => {
    using opened = openWriter();
    const { db, writer } = opened;
    writer.write([asked("a"), asked("b")]);
    const change = (callId: string) => ({ ...next(callId, "approved", to), from: "awaiting_approval" as const });
    const no = { ...change("a"), answer: { kind: "reject", who: "ann" } as const };
    expect(writer.write([change("a"), no]).map(codeOf)).toEqual(["ILLEGAL_TRANSITION", "ILLEGAL_TRANSITION"]);
    const entries = () => [draftFor("b", { kind: "approval.answered" }), draftFor("b")] as const;
    const yes = { ...change("b"), entries, answer: { kind: "approve", who: "ann" } as const };
    const [written] = writer.write([yes]);
    expect(written).toMatchObject({ kind: "committed", first: { seq: 3 }, receipt: { seq: 4 } });
    // The answer is the entry that tells of it.
    expect(
      db
        .prepare("SELECT answer_seq FROM questions ORDER BY call_id")
        .all()
        .map((row) => row["answer_seq"]),
    ).toEqual([null, 3]);
  });

  it("keeps what an entry says of line ends inside its line", () => {
    using opened = openWriter();
    const { db, writer } = opened;
    const texts = ["\n", "\r\n\u2028\u0085", `\n${"0".repeat(64)} {}`];
    writer.write([first("a", "refused", { entries: texts.map((text) => ({ actor: text, body: { [text]: text } })) })]);
    expect(readRows(db).map(({ seq, text }) => [seq, JSON.parse(text).actor])).toEqual(
      texts.map((text, i) => [i + 1, text]),
    );
  });

  it.each<[string, Partial<NewQuestion>]>([
    ["an id that is taken", { approvalId: "q_a" }],
    ["no JSON form", { kept: { ...keptCall(), rawInput: 1n as never } }],
    ["no deadline", { deadlineMs: Number.NaN }],
  ])("fails alone for a question with %s, and the origin it came with is no longer known", (_, over) => {
    using opened = openWriter();
    const { db, writer } = opened;
    writer.write([asked("a")]);
    const elsewhere = { call: { sessionId: "session_2" } };
    const results = writer.write([
      first("b", "refused"),
      asked("bad", over, elsewhere),
      first("c", "refused", elsewhere),
      asked("d"),
    ]);
    expect(results.map(codeOf)).toEqual(["committed", "FAULT", "committed", "committed"]);
    expect([count(db, "calls"), count(db, "questions"), readRows(db).length]).toEqual([4, 2, 4]);
    const session = db.prepare("SELECT session_id FROM calls JOIN origins ON id = origin WHERE call_id = 'c'").get();
    expect(session).toEqual({ session_id: "session_2" });
  });

  it("fails with all others when the disk does, also for a question", () => {
    using opened = openWriter();
    const { db, writer } = opened;
    writer.write([first("a", "refused")]);
    const pages = Number(db.prepare("PRAGMA page_count").get()?.["page_count"]);
    db.exec(`PRAGMA max_page_count = ${pages + 1}`);
    const large = asked("b", { kept: keptCall("x".repeat(100_000)) });
    expect(() => writer.write([first("c", "refused"), large])).toThrow("full");
    expect([count(db, "calls"), count(db, "questions"), db.isTransaction]).toEqual([1, 0, false]);
    db.exec(`PRAGMA max_page_count = ${pages + 1000}`);
    expect(writer.write([large]).map(codeOf)).toEqual(["committed"]);
  });

  it("writes all of a batch but what has no place in the tables, and nothing of that", () => {
    using opened = openWriter();
    const { db, writer } = opened;
    const lease = { leaseId: "lease_1", budget: { ...UNLIMITED, calls: 9 } };
    const wanted = { atLeast: NOTHING_SPENT, atMost: { ...NOTHING_SPENT, calls: 1 } };
    const ids = ["a", "b", "c"];
    writer.write(ids.map((id) => ({ ...first(id, "executing"), hold: { budgets: [lease], wanted } })));
    const ends = ids.map((id) => ({
      ...next(id, "executing", "completed"),
      spent: { ...NOTHING_SPENT, tokens: id === "b" ? 0.5 : 1 },
    }));
    const mark = noteOf(draftFor("n"));
    expect(writer.write([...ends, mark]).map(codeOf)).toEqual(["committed", "FAULT", "committed", "committed"]);
    const states = db.prepare("SELECT state FROM calls ORDER BY call_id").all();
    const { completed, executing } = STATE_CODE;
    expect(states.map((row) => row["state"])).toEqual([completed, executing, completed]);
    expect([readRows(db).length, writer.head().seq, count(db, "holdings"), db.isTransaction]).toEqual([6, 6, 1, false]);
    expect(writer.write([next("b", "executing", "unknown")]).map(codeOf)).toEqual(["committed"]);
  });

  it("does not believe a database that takes no segment", () => {
    using opened = openWriter();
    const { db, writer } = opened;
    db.exec("CREATE TRIGGER quiet BEFORE INSERT ON segments BEGIN SELECT raise(IGNORE); END");
    expect(() => writer.write([first("a", "refused")])).toThrow("the ledger did not take the entries");
    expect([count(db, "calls"), db.isTransaction]).toEqual([0, false]);
  });

  it("goes on behind what another wrote, however many lines that has", () => {
    using opened = openWriter();
    const other = openDatabase(opened.stateDir);
    if (other.kind === "refused") throw new Error(other.refusal.message);
    const writers = [opened.writer, new Writer(other.db)] as const;
    writers[0].write([first("a", "refused")]);
    writers[1].write([first("b", "refused", { entries: [{}, {}, {}] })]);
    // One of them is illegal: that it was tried twice changes nothing.
    const results = writers[0].write([first("c", "refused", { entries: [{}, {}] }), first("b", "refused")]);
    expect(results.map(codeOf)).toEqual(["committed", "ILLEGAL_TRANSITION"]);
    writers[1].write([first("d", "refused"), next("c", "refused", "completed")]);
    expect(readSegments(opened.db).map(({ firstSeq }) => firstSeq)).toEqual([1, 2, 5, 7]);
    other.db.close();
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
