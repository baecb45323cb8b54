import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { AnswerWatch } from "../../../src/store/sqlite/answer-watch.ts";
import { journalFile, openDatabase } from "../../../src/store/sqlite/open-database.ts";
import { Writer } from "../../../src/store/sqlite/writer.ts";
import { handClock } from "../../support/hand-clock.ts";
import { NEVER } from "../../support/sample-calls.ts";
import { answered, asked, codeOf } from "../changes.ts";
import { openScratch } from "../state-dir.ts";

const YES = { kind: "approve", who: "ann" } as const;
const LOOK_MS = 50;

/** A watch, and somebody else who writes. */
function openWatch() {
  const scratch = openScratch();
  const opened = openDatabase(scratch.stateDir);
  if (opened.kind === "refused") throw new Error(opened.refusal.message);
  const db = new DatabaseSync(journalFile(scratch.stateDir), { timeout: 0 });
  const clock = handClock();
  const writer = new Writer(opened.db);
  let reads = 0;
  let trouble: Error | null = null;
  const watch = new AnswerWatch({
    clock,
    db: () => {
      reads += 1;
      if (trouble !== null) throw trouble;
      return db;
    },
  });
  const write = (...changes: Parameters<Writer["write"]>[0]) => {
    for (const committed of writer.write(changes)) expect(codeOf(committed)).toBe("committed");
  };
  const dispose = () => {
    db.close();
    opened.db.close();
    scratch[Symbol.dispose]();
  };
  return {
    watch,
    clock,
    ask: (...ids: readonly string[]) => write(...ids.map((id) => asked(id))),
    answer: (...ids: readonly string[]) => write(...ids.map((id) => answered(id, YES))),
    reads: () => reads,
    fail: (error: Error | null) => {
      trouble = error;
    },
    [Symbol.dispose]: dispose,
  };
}

const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;

/** As somebody waits who has read the question. */
function waitOf(watch: AnswerWatch, callId: string) {
  const waiting = watch.waitFor(`q_${callId}`, NEVER);
  waiting.isOf(callId);
  return waiting;
}

/** Who of these has been woken by now, by place. */
async function woken(waiting: readonly { readonly woken: Promise<void> }[]): Promise<readonly number[]> {
  const places: number[] = [];
  for (const [i, each] of waiting.entries()) void each.woken.then(() => places.push(i));
  await new Promise((resolve) => setImmediate(resolve));
  return places.toSorted((a, b) => a - b);
}

describe("AnswerWatch", () => {
  it("wakes whoever waits for what another connection has written, at the next look", async () => {
    using opened = openWatch();
    const { watch, clock, ask, answer } = opened;
    ask("a", "b", "c");
    const waiting = ["q_a", "q_b", "q_a", "q_c"].map((id) => watch.waitFor(id, NEVER));
    clock.move(LOOK_MS);
    expect(await woken(waiting)).toEqual([]);
    answer("a");
    clock.move(LOOK_MS - 1);
    expect(await woken(waiting)).toEqual([]);
    clock.move(1);
    expect(await woken(waiting)).toEqual([0, 2]);
    answer("b", "c");
    clock.move(LOOK_MS);
    expect(await woken(waiting)).toEqual([0, 1, 2, 3]);
  });

  it("wakes at once when it is told to look", async () => {
    using opened = openWatch();
    const { watch, ask, answer } = opened;
    ask("a", "b");
    const waiting = ["q_a", "q_b"].map((id) => watch.waitFor(id, NEVER));
    answer("b");
    watch.look();
    expect(await woken(waiting)).toEqual([1]);
    for (const { cancel } of waiting) cancel();
  });

  it("is told whose answer this process has written, and wakes those who wait for it, in the next turn", async () => {
    using opened = openWatch();
    const { watch, ask, answer } = opened;
    ask("a", "b", "c");
    const waiting = ["a", "b", "b"].map((id) => waitOf(watch, id));
    answer("b", "c");
    watch.answered("b");
    watch.answered("c");
    expect(await woken(waiting)).toEqual([1, 2]);
    for (const { cancel } of waiting) cancel();
  });

  it("reads nothing for an answer that nobody here waits for, or does not any more", async () => {
    using opened = openWatch();
    const { watch, ask, answer, reads } = opened;
    ask("a", "b", "c");
    const [one, other] = [waitOf(watch, "a"), waitOf(watch, "b")];
    answer("b", "c");
    const before = reads();
    watch.answered("c");
    watch.answered("b");
    other.cancel(); // heard of it from whoever wrote it, before the next turn
    expect([await woken([one]), reads() - before]).toEqual([[], 0]);
    // What was passed over is no reason to miss the next one.
    answer("a");
    watch.answered("a");
    expect(await woken([one])).toEqual([0]);
  });

  it("looks for every answer while it does not know whose question somebody waits for", async () => {
    using opened = openWatch();
    const { watch, ask, answer } = opened;
    ask("a", "b");
    const waiting = [waitOf(watch, "b"), watch.waitFor("q_a", NEVER)];
    answer("a");
    watch.answered("a");
    expect(await woken(waiting)).toEqual([1]);
    waiting[0]?.cancel();
  });

  it.each([
    [255, 0],
    [256, 1],
  ])(
    "of %i answers that nobody waits for, it reads %i times: the next look must not find too many",
    async (answers, read) => {
      using opened = openWatch();
      const { watch, ask, answer, reads } = opened;
      const ids = Array.from({ length: answers }, (_, n) => `c${n}`);
      ask("a", ...ids);
      const one = waitOf(watch, "a");
      answer(...ids);
      const before = reads();
      for (const id of ids) watch.answered(id);
      expect([await woken([one]), reads() - before]).toEqual([[], read]);
      answer("a");
      watch.answered("a");
      expect(await woken([one])).toEqual([0]);
    },
  );

  it("has one timer for all, and none once nobody waits", async () => {
    using opened = openWatch();
    const { watch, clock, ask, answer } = opened;
    const before = timers();
    ask("a", "b", "c");
    const controller = new AbortController();
    const [one, two, three] = [
      watch.waitFor("q_a", NEVER),
      watch.waitFor("q_b", controller.signal),
      watch.waitFor("q_c", NEVER),
    ];
    clock.move(10 * LOOK_MS);
    expect([clock.waiting(), timers() - before]).toEqual([1, 1]);
    answer("a");
    clock.move(LOOK_MS);
    await one?.woken;
    controller.abort();
    await two?.woken;
    expect([clock.waiting(), timers() - before]).toEqual([1, 1]);
    three?.cancel();
    expect([clock.waiting(), timers() - before]).toEqual([0, 0]);
    watch.waitFor("q_c", AbortSignal.abort());
    expect([clock.waiting(), timers() - before]).toEqual([0, 0]);
  });

  it("begins again after everybody had gone", async () => {
    using opened = openWatch();
    const { watch, clock, ask, answer } = opened;
    ask("a", "b");
    watch.waitFor("q_a", NEVER).cancel();
    answer("a");
    clock.move(LOOK_MS);
    const again = watch.waitFor("q_b", NEVER);
    answer("b");
    clock.move(LOOK_MS);
    expect(await woken([again])).toEqual([0]);
  });

  it("costs the same for one who waits and for a thousand, and hardly anything while nothing happens", () => {
    const readsFor = (waiters: number, answers: readonly string[]) => {
      using opened = openWatch();
      const { watch, clock, ask, answer, reads } = opened;
      ask("a", "b");
      const all = Array.from({ length: waiters }, (_, n) => watch.waitFor(n === 0 ? "q_a" : `q_${n}`, NEVER));
      clock.move(LOOK_MS);
      answer(...answers);
      const before = reads();
      clock.move(LOOK_MS);
      for (const { cancel } of all) cancel();
      return reads() - before;
    };
    expect(readsFor(1000, [])).toBe(1);
    expect(readsFor(1000, ["b"])).toBe(readsFor(1, ["b"]));
  });

  it("looks again when a look failed, also after its own process wrote", async () => {
    using opened = openWatch();
    const { watch, clock, ask, answer, fail } = opened;
    ask("a", "b");
    const waiting = ["q_a", "q_b"].map((id) => watch.waitFor(id, NEVER));
    clock.move(LOOK_MS);
    answer("a");
    fail(new Error("busy"));
    clock.move(LOOK_MS);
    watch.look();
    expect(await woken(waiting)).toEqual([]);
    fail(null);
    clock.move(LOOK_MS);
    expect(await woken(waiting)).toEqual([0]);
    waiting[1]?.cancel();
  });

  it("puts nobody on the list where it can't begin, and leaves no timer", () => {
    using opened = openWatch();
    const { watch, clock, fail } = opened;
    const before = timers();
    fail(new Error("not now"));
    expect(() => watch.waitFor("q_a", NEVER)).toThrow("not now");
    expect([clock.waiting(), timers() - before]).toEqual([0, 0]);
  });

  // Whoever cancelled a second time took the next one who waits for the same question off the list.
  it("keeps whoever came while another one was leaving", async () => {
    using opened = openWatch();
    const { watch, clock, ask, answer } = opened;
    ask("a", "b");
    const other = watch.waitFor("q_b", NEVER);
    const gone = watch.waitFor("q_a", NEVER);
    gone.cancel();
    const late = watch.waitFor("q_a", NEVER);
    gone.cancel();
    answer("a");
    clock.move(LOOK_MS);
    expect(await woken([late, other])).toEqual([0]);
    other.cancel();
  });

  it("wakes everybody at its end", async () => {
    using opened = openWatch();
    const { watch, clock, ask } = opened;
    ask("a", "b");
    const waiting = ["q_a", "q_b", "q_a"].map((id) => watch.waitFor(id, NEVER));
    watch.close();
    expect([await woken(waiting), clock.waiting()]).toEqual([[0, 1, 2], 0]);
  });
});
