import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { journalFile } from "../../../src/store/sqlite/open-database.ts";
import { handClock } from "../../support/hand-clock.ts";
import { NEVER } from "../../support/sample-calls.ts";
import { startProgram } from "../../support/started-program.ts";
import { asked, mustCommit } from "../changes.ts";
import { startCommitting } from "../committing-program.ts";
import { hastyClock } from "../hasty-clock.ts";
import { meddle, openScratch } from "../state-dir.ts";
import { openJournal } from "./open-journal.ts";

describe("QuestionBoard", () => {
  it("brings the answers that another process writes, to all who wait", async () => {
    using scratch = openScratch();
    await using journal = openJournal(scratch.stateDir);
    const ids = ["a", "b", "c"];
    for (const id of ids) mustCommit(await journal.commit(asked(id)));
    const waiting = [...ids, ...ids].map((id) => journal.questions.answered(`q_${id}`, NEVER));
    await using other = startCommitting(scratch.stateDir);
    for (const id of ids.toReversed()) expect(await other.ask({ answer: id })).toEqual(["committed"]);
    for (const question of await Promise.all(waiting)) {
      expect(question).toMatchObject({ answer: { kind: "approve", who: "ann" }, state: "approved" });
      expect(question?.receipt?.seq).toBeGreaterThan(ids.length);
    }
    await other.ended();
  });

  it("brings the answer of a process that was killed right after", async () => {
    using scratch = openScratch();
    await using journal = openJournal(scratch.stateDir);
    mustCommit(await journal.commit(asked("a")));
    const waiting = journal.questions.answered("q_a", NEVER);
    await using other = startCommitting(scratch.stateDir);
    await other.ask({ answer: "a" });
    await other.kill();
    expect(await waiting).toMatchObject({ answer: { kind: "approve" } });
  });

  it("leaves no timer behind for what was answered, aborted or closed", async () => {
    using scratch = openScratch();
    const clock = handClock();
    const journal = openJournal(scratch.stateDir, { clock });
    mustCommit(await journal.commit(asked("a")));
    const idle = clock.waiting(); // of the checkpoint
    const controller = new AbortController();
    const aborted = journal.questions.answered("q_a", controller.signal);
    await journal.questions.find("q_a");
    expect(clock.waiting()).toBe(idle + 1);
    controller.abort();
    expect([await aborted, clock.waiting()]).toEqual([null, idle]);

    const left = journal.questions.answered("q_a", NEVER);
    const told = expect(left).rejects.toThrow("the journal is closed");
    await journal.questions.find("q_a");
    await journal.close();
    await told;
    expect(clock.waiting()).toBe(0);
    await expect(journal.questions.answered("q_a", NEVER)).rejects.toThrow("the journal is closed");
  });

  it("waits for the lock of another process where the journal is not open yet, for a bounded time", async () => {
    using scratch = openScratch();
    const { stateDir } = scratch;
    {
      await using journal = openJournal(stateDir, { owner: "owner_gone" });
      mustCommit(await journal.commit(asked("a", {}, { call: { owner: "owner_gone", caller: "attended" } })));
    }
    // Opening settles the question of an owner that is gone, and so has to write.
    await using holder = startProgram("holds-write-lock.ts", [journalFile(stateDir)]);
    expect(await holder.line()).toBe("held");
    await using hasty = openJournal(stateDir, { owner: "owner_h", clock: hastyClock() });
    await expect(hasty.questions.find("q_a")).rejects.toThrow("locked");
    await using patient = openJournal(stateDir, { owner: "owner_p" });
    const found = patient.questions.find("q_a");
    await holder.ended();
    expect(await found).toMatchObject({ answer: { kind: "cancelled" } });
  });

  it("throws for a journal that can't be opened, and leaves nobody waiting", async () => {
    using scratch = openScratch();
    const clock = handClock();
    {
      await using journal = openJournal(scratch.stateDir, { clock });
      mustCommit(await journal.commit(asked("a")));
    }
    meddle(scratch.stateDir, "PRAGMA user_version = 99");
    await using journal = openJournal(scratch.stateDir, { clock });
    await expect(journal.questions.find("q_a")).rejects.toThrow("has format 99");
    await expect(journal.questions.open("default", { limit: 9 })).rejects.toThrow("has format 99");
    await expect(journal.questions.answered("q_a", NEVER)).rejects.toThrow("has format 99");
    expect(clock.waiting()).toBe(0);
  });

  it("reads open questions one by one, with others in between, and gives a full page whatever is answered meanwhile", async () => {
    using scratch = openScratch();
    await using journal = openJournal(scratch.stateDir);
    const ids = ["a", "b", "c", "d", "e"];
    for (const id of ids) mustCommit(await journal.commit(asked(id)));
    const reading = journal.questions.open("default", { limit: 4 });
    // The first has been read by then, and no other.
    await setImmediate();
    meddle(scratch.stateDir, `UPDATE questions SET answer = '{"kind":"expired"}', answer_seq = 1 WHERE call_id = 'd'`);
    expect((await reading).map(({ approvalId }) => approvalId)).toEqual(["q_a", "q_b", "q_c", "q_e"]);
  });

  it("reads what is kept of a call when somebody looks at it, and nothing of a question that is waited for", async () => {
    using scratch = openScratch();
    await using journal = openJournal(scratch.stateDir);
    mustCommit(await journal.commit(asked("a")));
    meddle(scratch.stateDir, "UPDATE questions SET raw = '{'");
    const question = await journal.questions.find("q_a");
    expect(question?.approvalId).toBe("q_a");
    expect(() => question?.kept).toThrow("JSON");
    meddle(scratch.stateDir, "UPDATE questions SET shown = '{'");
    const stop = new AbortController();
    const waiting = journal.questions.answered("q_a", stop.signal);
    await setImmediate();
    stop.abort();
    expect(await waiting).toBeNull();
  });

  it("throws for a question whose row was not written by us", async () => {
    using scratch = openScratch();
    await using journal = openJournal(scratch.stateDir);
    mustCommit(await journal.commit(asked("a")));
    meddle(scratch.stateDir, "UPDATE calls SET state = 7");
    await expect(journal.questions.find("q_a")).rejects.toThrow("in the state `7`");
    await expect(journal.questions.answered("q_a", NEVER)).rejects.toThrow("in the state `7`");
  });
});
