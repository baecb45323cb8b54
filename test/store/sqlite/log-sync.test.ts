import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Clock } from "../../../src/ports/clock.ts";
import { LogSync } from "../../../src/store/sqlite/log-sync.ts";
import { openDatabase } from "../../../src/store/sqlite/open-database.ts";
import { handClock } from "../../support/hand-clock.ts";
import { needs } from "../../support/parts.ts";
import { startCommitting } from "../committing-program.ts";
import { openScratch } from "../state-dir.ts";
import { breakSyncs, logsOpen } from "./own-log.ts";

function openLog(durability: "full" | "normal", clock: Pick<Clock, "monotonicMs"> = handClock()) {
  const scratch = openScratch();
  const opened = openDatabase(scratch.stateDir);
  if (opened.kind === "refused") throw new Error(opened.refusal.message);
  const before = logsOpen();
  const log = new LogSync(opened.db, { stateDir: scratch.stateDir, durability, clock });
  const own = logsOpen().filter((fd) => !before.includes(fd));
  const dispose = () => {
    opened.db.close();
    scratch[Symbol.dispose]();
  };
  return { log, own, before, [Symbol.dispose]: dispose };
}

describe("LogSync", () => {
  it("opens the log of a database that is new, and closes it again", async () => {
    using opened = openLog("full");
    // SQLite's own, where it was not open yet, and ours.
    expect(opened.own.length).toBeGreaterThan(0);
    opened.log.now();
    await opened.log.soon();
    const during = logsOpen().length;
    opened.log.close();
    expect(logsOpen()).toHaveLength(during - 1);
  });

  it("opens nothing where no sync is wanted", async () => {
    using full = openLog("full");
    using normal = openLog("normal");
    expect(full.own.length - normal.own.length).toBe(1);
    normal.log.now();
    await normal.log.soon();
    normal.log.close();
    full.log.close();
  });

  it.each(["now", "soon"] as const)("knows whether the last one (%s) was quick", async (how) => {
    let readings = 0;
    let eachMs = 0;
    using opened = openLog("full", { monotonicMs: () => eachMs * readings++ });
    const { log } = opened;
    expect(log.isQuick).toBe(true);
    for (const [ms, isQuick] of [
      [0.999, true],
      [1, false],
      [20, false],
      [0.2, true],
    ] as const) {
      eachMs = ms;
      readings = 0;
      await log[how]();
      expect({ ms, isQuick: log.isQuick }).toEqual({ ms, isQuick });
    }
    log.close();
  });

  it("makes one at a time: another waits for the one that is under way, and fails if that one failed", async () => {
    using opened = openLog("full");
    const { log } = opened;
    const ends: string[] = [];
    const one = log.soon().then(() => void ends.push("one"));
    expect(log.isFree).toBe(false);
    expect(() => log.now()).toThrow("under way");
    const two = log.soon().then(() => void ends.push("two"));
    await Promise.all([one, two]);
    expect(ends).toEqual(["one", "two"]);
    expect(log.isFree).toBe(true);
    log.now();

    breakSyncs(opened.own);
    const failing = log.soon();
    const behind = log.soon();
    await expect(failing).rejects.toThrow("EBADF");
    await expect(behind).rejects.toThrow("EBADF");
  });

  it.each([
    ["now", "soon"],
    ["soon", "now"],
  ] as const)("that failed once (%s) fails for good: nobody tries again and assumes", async (one, other) => {
    using opened = openLog("full");
    const { log } = opened;
    log.mustBeSound();
    breakSyncs(opened.own);
    await expect(async () => await log[one]()).rejects.toThrow("EBADF");
    await expect(async () => await log[other]()).rejects.toThrow("EBADF");
    expect(() => log.mustBeSound()).toThrow("EBADF");
  });
});

type Step = "written" | "synced" | "acknowledged";

needs("strace")("what a journal acknowledges", () => {
  async function traced(
    durability: "full" | "normal",
    act: (journal: ReturnType<typeof startCommitting>) => Promise<void>,
  ) {
    using scratch = openScratch();
    const trace = join(scratch.folder, "trace");
    const calls = "trace=fsync,fdatasync,pwrite64,write";
    const wrapper = ["strace", "-f", "-y", "-qq", "-e", calls, "-o", trace];
    await using journal = startCommitting(scratch.stateDir, { durability, wrapper });
    await journal.commit("first");
    await act(journal);
    await journal.ended();
    return stepsIn(readFileSync(trace, "utf8"));
  }

  /** What happened to the log, and when the program said that it was done. */
  function stepsIn(trace: string): readonly Step[] {
    const syncing = new Set<string>();
    const steps: Step[] = [];
    for (const line of trace.split("\n")) {
      const [thread = ""] = line.split(" ");
      const isSync = /f(?:data)?sync\(\d+<[^>]*journal\.db-wal>/.test(line);
      if (isSync && line.includes("unfinished")) syncing.add(thread);
      const isResumed = syncing.has(thread) && /<\.\.\. f(?:data)?sync resumed>.* = 0$/.test(line);
      if (isResumed) syncing.delete(thread);
      if (isResumed || (isSync && line.endsWith("= 0"))) steps.push("synced");
      if (/pwrite64\(\d+<[^>]*journal\.db-wal>/.test(line)) steps.push("written");
      if (/ write\(1</.test(line)) steps.push("acknowledged");
    }
    return steps;
  }

  /** Of each acknowledgement: what came last before it. */
  const beforeEach = (steps: readonly Step[]) =>
    steps.flatMap((step, i) => (step === "acknowledged" ? [steps[i - 1]] : []));

  const many = Array.from({ length: 300 }, (_, n) => `m${n}`);

  it("was synced since it was written: one change, a batch, more than a batch, notes", async () => {
    const steps = await traced("full", async (journal) => {
      expect(await journal.commit("a")).toEqual(["committed"]);
      expect(await journal.commit("b", "c", "d")).toHaveLength(3);
      expect(await journal.commit(...many)).toHaveLength(300);
      expect(await journal.ask({ note: 1 })).toEqual(["committed"]);
      expect(await journal.ask({ note: 3 })).toHaveLength(3);
    });
    expect(beforeEach(steps)).toEqual(Array(6).fill("synced"));
  });

  it("was written and not synced where nobody wants it (the sibling)", async () => {
    const steps = await traced("normal", async (journal) => {
      await journal.commit("a");
      await journal.commit("b", "c", "d");
    });
    expect(beforeEach(steps)).toEqual(Array(3).fill("written"));
  });

  it("is not synced for a change that was not made", async () => {
    const steps = await traced("full", async (journal) => {
      expect(await journal.commit("first")).toEqual(["ILLEGAL_TRANSITION"]);
      expect(await journal.commit("first", "first")).toHaveLength(2);
    });
    expect(beforeEach(steps)).toEqual(["synced", "acknowledged", "acknowledged"]);
  });
});
