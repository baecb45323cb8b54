import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { journalFile } from "../../../src/store/sqlite/open-database.ts";
import { RecentLines } from "../../../src/store/sqlite/recent-lines.ts";
import { SqliteView } from "../../../src/store/sqlite/sqlite-view.ts";
import { handClock } from "../../support/hand-clock.ts";
import { answered, asked, first, mustCommit, next } from "../changes.ts";
import { openScratch } from "../state-dir.ts";
import { openJournal, readEntries, readWith } from "./open-journal.ts";

const YES = { kind: "approve", who: "ann" } as const;

describe("SqliteView", () => {
  it("has the same entries from what was just written as from the store", async () => {
    using scratch = openScratch();
    const { stateDir } = scratch;
    const recent = new RecentLines();
    await using journal = openJournal(stateDir, { recent });
    const options = { stateDir, clock: handClock(), onWritten: (written: () => void) => journal.onWritten(written) };
    const [view, reader] = [new SqliteView({ ...options, recent }), new SqliteView(options)];
    mustCommit(await journal.commit(first("before", "refused")));
    const told: (number | null)[] = [];
    const unwatch = view.watch((lastSeq) => told.push(lastSeq));
    mustCommit(
      await journal.commit(
        asked("a", {}, { entries: [{}, { kind: "tool.decided", body: { "ä\n": '\u{1f600}\\"' } }] }),
      ),
    );
    mustCommit(await journal.commit(answered("a", YES)));
    expect([told, view.lastSeq()]).toEqual([[3, 4], 4]);
    expect(recent.rows(2, 4)).toHaveLength(3);
    for (const [from, to] of [
      [2, 4],
      [3, 3],
      [1, 4],
      [4, 9],
      [5, 5],
    ] as const) {
      expect([from, to, view.entries(from, to)]).toEqual([from, to, reader.entries(from, to)]);
    }
    expect(view.entries(1, 4)).toEqual(readEntries(stateDir));
    unwatch();
    expect([recent.rows(2, 4), view.entries(2, 4)]).toEqual([null, reader.entries(2, 4)]);
    view.close();
    reader.close();
  });

  it("has also what another process wrote in between", async () => {
    using scratch = openScratch();
    const { stateDir } = scratch;
    const recent = new RecentLines();
    await using journal = openJournal(stateDir, { recent, owner: "owner_a" });
    await using other = openJournal(stateDir, { owner: "owner_b" });
    const onWritten = (written: () => void) => journal.onWritten(written);
    const clock = handClock();
    const view = new SqliteView({ stateDir, clock, recent, onWritten });
    const told: (number | null)[] = [];
    const unwatch = view.watch((lastSeq) => told.push(lastSeq));
    for (const [at, by] of [journal, other, other, journal, journal].entries()) {
      mustCommit(await by.commit(first(`c${at}`, "refused")));
    }
    // How far others went it says only once it has looked.
    expect(told).toEqual([1, 4, 5]);
    clock.move(50);
    expect(told).toEqual([1, 4, 5, null]);
    expect(view.entries(1, 5)).toEqual(readEntries(stateDir));
    expect([recent.rows(3, 3), view.entries(4, 5)]).toEqual([null, readEntries(stateDir).slice(3)]);
    unwatch();
    view.close();
  });

  it("finds where a call stands without what others wrote since it was asked about", async () => {
    using scratch = openScratch();
    const { stateDir } = scratch;
    await using journal = openJournal(stateDir);
    const others = async (from: number) => {
      for (let at = from; at < from + 40; at++) mustCommit(await journal.commit(first(`c${at}`, "refused")));
    };
    mustCommit(await journal.commit(asked("a", {}, { entries: [{}, { kind: "tool.decided" }] })));
    await others(0);
    mustCommit(await journal.commit(answered("a", YES)));
    await others(40);
    mustCommit(await journal.commit(next("a", "approved", "executing", { entries: [{ kind: "tool.started" }] })));
    await others(80);
    mustCommit(await journal.commit(next("a", "executing", "completed", { entries: [{ kind: "tool.executed" }] })));
    mustCommit(await journal.commit(first("b", "refused", { entries: [{}, { kind: "tool.decided" }] })));
    const view = new SqliteView({ stateDir, clock: handClock(), onWritten: () => () => {} });
    const seqs = (of: "stepsOf" | "entriesOf", callId: string) => view[of](callId).map(({ seq }) => seq);
    expect(seqs("entriesOf", "a")).toEqual([1, 2, 43, 84, 125]);
    expect(seqs("stepsOf", "a")).toEqual([1, 2, 43, 125]);
    expect([seqs("stepsOf", "b"), seqs("stepsOf", "c39"), seqs("stepsOf", "none")]).toEqual([[126, 127], [42], []]);
    // What is no entry can't be read: whoever gets by did not look at it.
    spoil(stateDir, 20, "nothing");
    expect(seqs("entriesOf", "a")).toEqual([1, 2, 43, 84, 125]);
    expect(readWith(stateDir, (reader) => [...reader.entriesOf("a")].length)).toBe(5);
    spoil(stateDir, 60, ',"callId":"a","kind":"');
    expect(() => view.entriesOf("a")).toThrow();
    expect(seqs("stepsOf", "a")).toEqual([1, 2, 43, 125]);
    view.close();
  });
});

function spoil(stateDir: string, seq: number, text: string): void {
  using db = new DatabaseSync(journalFile(stateDir));
  db.prepare("UPDATE segments SET lines = ? WHERE first_seq = ?").run(`${"0".repeat(64)} ${text}`, seq);
}
