import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { describe, expect, it, vi } from "vitest";
import { LogSync } from "../../../src/store/sqlite/log-sync.ts";
import { handClock } from "../../support/hand-clock.ts";
import { NEVER } from "../../support/sample-calls.ts";
import { answered, asked, codeOf, draftFor, first, mustCommit } from "../changes.ts";
import { describeJournal } from "../journal-contract.ts";
import { openScratch, reportOn, statesOf } from "../state-dir.ts";
import { openJournal, openSqliteStore, readEntries } from "./open-journal.ts";
import { breakSyncs } from "./own-log.ts";

/** Which way the log is synced. */
function spyOnSyncs(): Disposable & { readonly seen: readonly string[] } {
  const seen: string[] = [];
  const spies = (["now", "soon"] as const).map((how) => {
    const real = LogSync.prototype[how];
    return vi.spyOn(LogSync.prototype, how).mockImplementation(function (this: LogSync) {
      seen.push(how);
      return real.call(this) as never;
    });
  });
  const dispose = () => {
    for (const spy of spies) spy.mockRestore();
  };
  return { seen, [Symbol.dispose]: dispose };
}

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

  it.each([
    [1, 1],
    [3, 3],
    [1, 2],
    [3, 5],
  ])(
    "writes nothing and signs for nothing after a sync that failed: %d of %d calls at once",
    async (atOnce, running) => {
      using scratch = openScratch();
      const { stateDir } = scratch;
      const clock = handClock();
      const journal = openJournal(stateDir, { clock });
      journal.sharedBy(
        () => running,
        () => false,
      );
      mustCommit(await journal.commit(first("before", "refused")));
      breakSyncs();
      const commit = (round: string) =>
        Promise.all(Array.from({ length: atOnce }, (_, n) => journal.commit(first(`${round}${n}`, "refused"))));
      for (const round of ["a", "b", "c"]) {
        for (const committed of await commit(round)) {
          expect(committed).toMatchObject({ kind: "failed", refusal: { code: "LEDGER_UNAVAILABLE" } });
        }
      }
      expect(codeOf(await journal.note(draftFor("n")))).toBe("LEDGER_UNAVAILABLE");
      // The timer of the checkpoint was set before. It must not swear to what may not be on the disk.
      expect(clock.waiting()).toBe(1);
      clock.move(1000);
      await expect(journal.checkpoint()).rejects.toThrow("can't be written");
      await journal.close();
      expect(readEntries(stateDir)).toHaveLength(1 + atOnce);
      expect(await reportOn(stateDir)).toMatchObject({ ok: true, checkpoints: 0 });
    },
  );

  it("answers every commit after a sync that failed, also while somebody waits for an answer", async () => {
    using scratch = openScratch();
    const journal = openJournal(scratch.stateDir, { clock: handClock() });
    mustCommit(await journal.commit(asked("a")));
    const waiting = journal.questions.answered("q_a", NEVER).catch((error: Error) => error.message);
    await journal.questions.find("q_a");
    breakSyncs();
    for (let n = 0; n < 3; n++) {
      const answer = { kind: "approve", who: `person ${n}` } as const;
      expect(codeOf(await journal.commit(answered("a", answer)))).toBe("LEDGER_UNAVAILABLE");
    }
    await journal.close();
    expect(await waiting).toMatch(/journal is closed|can't be written/);
  });

  it.each([
    { atOnce: 1, running: 0, took: "quick", how: "now" },
    { atOnce: 1, running: 1, took: "slow", how: "now" },
    { atOnce: 1, running: 2, took: "quick", how: "soon" },
    { atOnce: 4, running: 4, took: "quick", how: "now" },
    { atOnce: 4, running: 4, took: "slow", how: "soon" },
    { atOnce: 4, running: 5, took: "quick", how: "soon" },
  ] as const)(
    "syncs $atOnce changes of $running calls $how where the disk was $took",
    async ({ atOnce, running, took, how }) => {
      using scratch = openScratch();
      let readMs = 0;
      const stepMs = took === "slow" ? 5 : 0;
      const clock = { ...handClock(), monotonicMs: () => (readMs += stepMs) };
      await using journal = openJournal(scratch.stateDir, { clock });
      mustCommit(await journal.commit(first("before", "refused")));
      journal.sharedBy(
        () => running,
        () => false,
      );
      using spies = spyOnSyncs();
      await new Promise((resolve) => setImmediate(resolve));
      // Nobody comes from outside from the second time on, which is known with the third.
      const caller = async (id: string) => {
        for (let n = 0; n < 3; n++) await journal.commit(first(`${id}${n}`, "refused"));
      };
      await Promise.all(Array.from({ length: atOnce }, (_, n) => caller(`c${n}.`)));
      const before = atOnce === 1 ? how : "soon";
      expect(spies.seen).toEqual([before, before, how]);
    },
  );

  it.each([
    { served: true, syncs: 1 },
    { served: false, syncs: 2 },
  ])("waits for new calls of other connections where calls come over a network: $served", async ({ served, syncs }) => {
    using scratch = openScratch();
    await using journal = openJournal(scratch.stateDir);
    mustCommit(await journal.commit(first("before", "refused")));
    journal.sharedBy(
      () => 1,
      () => served,
    );
    using spies = spyOnSyncs();
    const one = journal.commit(first("a", "refused"));
    // As the next connection is read: behind all that the first one led to.
    const other = await new Promise((resolve) =>
      process.nextTick(() => resolve(journal.commit(first("b", "refused")))),
    );
    expect([await one, other]).toMatchObject([{ kind: "committed" }, { kind: "committed" }]);
    expect(spies.seen).toHaveLength(syncs);
  });

  it("syncs nothing where nothing was written", async () => {
    using scratch = openScratch();
    await using journal = openJournal(scratch.stateDir);
    mustCommit(await journal.commit(first("a", "refused")));
    breakSyncs();
    expect(codeOf(await journal.commit(first("a", "refused")))).toBe("ILLEGAL_TRANSITION");
    expect(codeOf(await journal.commit(first("b", "refused")))).toBe("LEDGER_UNAVAILABLE");
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
