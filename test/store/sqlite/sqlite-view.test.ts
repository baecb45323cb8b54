import { describe, expect, it } from "vitest";
import { RecentLines } from "../../../src/store/sqlite/recent-lines.ts";
import { SqliteView } from "../../../src/store/sqlite/sqlite-view.ts";
import { handClock } from "../../support/hand-clock.ts";
import { answered, asked, first, mustCommit } from "../changes.ts";
import { openScratch } from "../state-dir.ts";
import { openJournal, readEntries } from "./open-journal.ts";

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
});
