import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Change } from "../../../src/ports/journal.ts";
import { journalFile, openDatabase } from "../../../src/store/sqlite/open-database.ts";
import { Writer } from "../../../src/store/sqlite/writer.ts";
import { answered, asked, codeOf, first, keptCall, next, questionOf } from "../changes.ts";
import { openScratch } from "../state-dir.ts";

function openRows() {
  const scratch = openScratch();
  const opened = openDatabase(scratch.stateDir);
  if (opened.kind === "refused") throw new Error(opened.refusal.message);
  const { db } = opened;
  const writer = new Writer(db);
  const writers = { this: writer, other: new Writer(db), another: new Writer(db) };
  /** Everything that lies in the files, once SQLite has moved its log into the database. */
  const bytes = () => {
    db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    const path = journalFile(scratch.stateDir);
    return readFileSync(path, "latin1") + readFileSync(`${path}-wal`, "latin1");
  };
  return {
    bytes,
    write: (...changes: readonly Change[]) => {
      for (const committed of writer.write(changes)) expect(codeOf(committed)).toBe("committed");
    },
    /** What becomes of each, written by one of several processes. */
    codes: (by: keyof typeof writers, ...changes: readonly Change[]) => writers[by].write(changes).map(codeOf),
    spoil: (callId: string) => db.prepare("UPDATE questions SET shown = '{' WHERE call_id = ?").run(callId),
    row: (callId: string) => db.prepare("SELECT raw, answer, answer_seq FROM questions WHERE call_id = ?").get(callId),
    [Symbol.dispose]: () => {
      db.close();
      scratch[Symbol.dispose]();
    },
  };
}

const YES = { kind: "approve", who: "ann" } as const;

/** How a question comes to its end, and how its call is started. */
const ENDS: readonly (readonly [string, (id: string) => readonly Change[]])[] = [
  ["rejected", (id) => [answered(id, { kind: "reject", who: "bob" })]],
  ["expired", (id) => [answered(id, { kind: "expired" })]],
  ["cancelled", (id) => [answered(id, { kind: "cancelled" })]],
  ["started", (id) => [answered(id, YES), next(id, "approved", "executing")]],
  ["refused after the yes", (id) => [answered(id, YES), next(id, "approved", "refused")]],
];

describe("QuestionRows", () => {
  it("says of the answer what was said, and `cancelled` where nothing was", () => {
    using opened = openRows();
    const { write, row } = opened;
    write(asked("a"), asked("b"), first("c", "refused"));
    write(answered("a", { ...YES, reason: "ok" }), next("b", "awaiting_approval", "cancelled"));
    expect(JSON.parse(String(row("a")?.["answer"]))).toEqual({ ...YES, reason: "ok" });
    expect(JSON.parse(String(row("b")?.["answer"]))).toEqual({ kind: "cancelled" });
    expect([row("a")?.["answer_seq"], row("b")?.["answer_seq"], row("c")]).toEqual([4, 5, undefined]);
  });

  it("counts a user's open questions by who asked, also of another process and in the same write", () => {
    using opened = openRows();
    const { codes, spoil } = opened;
    const shownOf = (actor: string) => ({ ...questionOf("any").shown, actor });
    const by = (actor: string, id: string, project = "default") =>
      asked(
        id,
        { project, shown: shownOf(actor), room: { openMax: 9, share: { of: "user", max: 2 }, nowMs: 1 } },
        { call: { sessionId: `talk-${id}` } },
      );
    const FULL = "RATE_LIMITED";
    expect(codes("this", by("user:ann", "a"), by("user:bob", "b"))).toEqual(["committed", "committed"]);
    expect(codes("other", by("user:ann", "c"), by("user:ann", "d"))).toEqual(["committed", FULL]);
    expect(codes("this", by("user:ann", "e"), by("user:ann", "f", "another"))).toEqual([FULL, "committed"]);
    expect(codes("other", answered("a", YES), by("user:ann", "g"))).toEqual(["committed", "committed"]);
    expect(codes("this", by("user:ann", "h"), by("user:bob", "i"))).toEqual([FULL, "committed"]);
    // What nobody can read is nobody's, and keeps nobody from asking.
    spoil("g");
    expect(codes("another", by("user:ann", "k"))).toEqual(["committed"]);
  });

  it.each(ENDS)("nothing of the call as it came is left in any file once it is %s", (_, end) => {
    using opened = openRows();
    const { write, bytes, row } = opened;
    write(asked("before"), asked("a", { kept: keptCall("s3cr3t-value") }), asked("behind"));
    expect(bytes()).toContain("s3cr3t-value");
    const [last, ...others] = end("a").toReversed();
    write(...others.toReversed());
    if (others.length > 0) expect(bytes()).toContain("s3cr3t-value");
    if (last !== undefined) write(last);
    expect(row("a")?.["raw"]).toBeNull();
    expect(bytes()).not.toContain("s3cr3t-value");
  });

  it("nothing is left of inputs of any length that end in any order, and those of open questions are whole", () => {
    using opened = openRows();
    const { write, bytes } = opened;
    // From a few bytes to several pages, so that rows move between pages and spill over into others.
    const secretOf = (n: number) => `s3cr3t-${String(n).padStart(4, "0")}-`.repeat(1 + ((n * 37) % 900));
    const all = Array.from({ length: 120 }, (_, n) => n);
    for (const n of all) write(asked(`c${n}`, { kept: keptCall(secretOf(n)) }));
    const ending = all.toSorted((a, b) => ((a * 7919) % 120) - ((b * 7919) % 120)).slice(0, 100);
    const open = new Set(all);
    for (const n of ending) {
      write(...(ENDS[n % ENDS.length]?.[1](`c${n}`) ?? []));
      open.delete(n);
    }
    const left = new Set(
      bytes()
        .match(/s3cr3t-\d{4}/g)
        ?.map((found) => Number(found.slice(-4))),
    );
    expect([...left].toSorted((a, b) => a - b)).toEqual([...open]);
    // A piece of one may begin in the middle; each holds its number only at a border, so look for the word as well.
    for (const n of open) write(...(ENDS[n % ENDS.length]?.[1](`c${n}`) ?? []));
    expect(bytes()).not.toMatch(/s3cr3t|cr3t-\d/);
  });
});
