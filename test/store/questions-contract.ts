import { describe, expect, it } from "vitest";
import type { Answered } from "../../src/domain/question.ts";
import type { CallState } from "../../src/domain/state.ts";
import { NEVER } from "../support/sample-calls.ts";
import { answered, asked, codeOf, keptCall, mustCommit, newCall, next, questionOf } from "./changes.ts";
import type { StoreUnderTest } from "./journal-contract.ts";

const ANSWERS: readonly (readonly [Answered, CallState])[] = [
  [{ kind: "approve", who: "ann", reason: "fine" }, "approved"],
  [{ kind: "reject", who: "bob" }, "rejected"],
  [{ kind: "expired" }, "expired"],
  [{ kind: "cancelled" }, "cancelled"],
];
const YES: Answered = { kind: "approve", who: "ann" };

/** What becomes of the call as it came in, by the states that its call goes through after the answer. */
const KEPT: readonly (readonly [readonly CallState[], "kept" | "gone"])[] = [
  [[], "kept"],
  [["approved"], "kept"],
  [["approved", "executing"], "gone"],
  [["approved", "executing", "completed"], "gone"],
  [["approved", "refused"], "gone"],
  [["approved", "cancelled"], "gone"],
  [["rejected"], "gone"],
  [["expired"], "gone"],
  [["cancelled"], "gone"],
];

/** What every journal does with questions, whatever it is built on. */
export function describeQuestions(name: string, open: () => Promise<StoreUnderTest>): void {
  const ids = async (
    store: StoreUnderTest,
    project = "default",
    page: { limit: number; after?: string } = { limit: 99 },
  ) => (await store.journal.questions.open(project, page)).map(({ approvalId }) => approvalId);

  describe(`${name}: a question`, () => {
    it("is found as it was asked, by everybody", async () => {
      await using store = await open();
      const kept = keptCall('"\u0000\u2028😀');
      mustCommit(await store.journal.commit(asked("a", { kept, deadlineMs: 8_640_000_000_000_000 })));
      const question = {
        ...questionOf("a", { kept, deadlineMs: 8_640_000_000_000_000 }),
        callId: "a",
        sessionId: "session_1",
        state: "awaiting_approval",
        votes: [],
        answer: null,
        receipt: null,
      };
      for (const { questions } of [store.journal, store.another()]) {
        expect(await questions.find("q_a")).toEqual(question);
        expect(await questions.open("default", { limit: 1 })).toEqual([question]);
      }
    });

    it("that nobody asked is null, also where a call has that name", async () => {
      await using store = await open();
      mustCommit(await store.journal.commit(asked("a")));
      for (const id of ["a", "", "q_b", "Q_A", "q_a "]) expect(await store.journal.questions.find(id)).toBeNull();
      expect(await store.journal.questions.answered("q_b", NEVER)).toBeNull();
    });

    it("keeps no call where its caller holds it", async () => {
      await using store = await open();
      mustCommit(await store.journal.commit(asked("a", { kept: null }, { call: { caller: "attended" } })));
      expect(await store.journal.questions.find("q_a")).toMatchObject({ kept: null, state: "awaiting_approval" });
    });

    it("is listed with those of its project, the oldest first, a page at a time, until it is answered", async () => {
      await using store = await open();
      for (const id of ["3", "1", "2", "5", "4"]) mustCommit(await store.journal.commit(asked(id)));
      mustCommit(await store.journal.commit(asked("0", { project: "other" })));
      expect(await ids(store)).toEqual(["q_1", "q_2", "q_3", "q_4", "q_5"]);
      expect(await ids(store, "other")).toEqual(["q_0"]);
      expect(await ids(store, "nobody's")).toEqual([]);
      expect(await ids(store, "default", { limit: 2 })).toEqual(["q_1", "q_2"]);
      expect(await ids(store, "default", { limit: 2, after: "q_2" })).toEqual(["q_3", "q_4"]);
      expect(await ids(store, "default", { limit: 2, after: "q_5" })).toEqual([]);
      mustCommit(await store.journal.commit(answered("3", YES)));
      mustCommit(await store.journal.commit(answered("1", { kind: "expired" })));
      expect(await ids(store)).toEqual(["q_2", "q_4", "q_5"]);
    });

    it.each(ANSWERS)("has the answer that was given, with its receipt: %j", async (answer, state) => {
      await using store = await open();
      mustCommit(await store.journal.commit(asked("a", {}, { entries: [{}, { kind: "tool.decided" }] })));
      const receipt = mustCommit(await store.journal.commit(answered("a", answer)));
      mustCommit(await store.journal.commit(asked("b")));
      expect(await store.journal.questions.find("q_a")).toMatchObject({ answer, receipt, state });
      expect((await store.entries())[receipt.seq - 1]).toMatchObject({ kind: "approval.answered", callId: "a" });
    });

    it("keeps the answer and its receipt, whatever its call does afterwards", async () => {
      await using store = await open();
      mustCommit(await store.journal.commit(asked("a")));
      const receipt = mustCommit(await store.journal.commit(answered("a", YES)));
      mustCommit(await store.journal.commit(next("a", "approved", "executing")));
      mustCommit(await store.journal.commit(next("a", "executing", "failed")));
      expect(await store.journal.questions.find("q_a")).toMatchObject({ answer: YES, receipt, state: "failed" });
    });

    it.each(KEPT)("after %j has its call %s", async (states, becomes) => {
      await using store = await open();
      mustCommit(await store.journal.commit(asked("a")));
      let from: CallState = "awaiting_approval";
      for (const to of states) {
        const answer = ANSWERS.find(([, state]) => state === to)?.[0] ?? YES;
        mustCommit(
          await store.journal.commit(from === "awaiting_approval" ? answered("a", answer) : next("a", from, to)),
        );
        from = to;
      }
      const found = await store.journal.questions.find("q_a");
      expect([found?.state, found?.kept]).toEqual([from, becomes === "kept" ? keptCall() : null]);
    });

    it("has one winner of many answers at once, in several processes, and all are told the same", async () => {
      await using store = await open();
      const journals = [store.journal, store.another(), store.another()];
      const names = Array.from({ length: 10 }, (_, n) => `c${n}`);
      for (const id of names) mustCommit(await store.journal.commit(asked(id)));
      for (const id of names) {
        const results = await Promise.all(
          journals.map((journal, n) =>
            journal.commit(answered(id, { kind: n === 1 ? "reject" : "approve", who: `person ${n}` })),
          ),
        );
        expect(results.filter(({ kind }) => kind === "committed")).toHaveLength(1);
        const winner = results.findIndex(({ kind }) => kind === "committed");
        for (const { questions } of journals) {
          expect(await questions.find(`q_${id}`)).toMatchObject({ answer: { who: `person ${winner}` } });
        }
      }
      expect(await store.isSound()).toBe(true);
    });

    it("is not there when its call is not, and not answered when the answer is not written", async () => {
      await using store = await open();
      mustCommit(await store.journal.commit(asked("a")));
      const unwritable = () => [{ body: { n: Number.NaN } }] as never;
      expect(codeOf(await store.journal.commit({ ...asked("b"), entries: unwritable }))).toBe("FAULT");
      expect(codeOf(await store.journal.commit(asked("a", { approvalId: "q_again" })))).toBe("ILLEGAL_TRANSITION");
      expect(codeOf(await store.journal.commit({ ...answered("a", YES), entries: unwritable }))).toBe("FAULT");
      expect(await ids(store)).toEqual(["q_a"]);
    });

    it("whose id is taken fails alone, and nothing of its call is written", async () => {
      await using store = await open();
      mustCommit(await store.journal.commit(asked("a")));
      const results = await Promise.all([
        store.journal.commit(asked("b")),
        store.journal.commit(asked("c", { approvalId: "q_a" })),
        store.journal.commit(asked("d")),
      ]);
      expect(results.map(codeOf)).toEqual(["committed", "FAULT", "committed"]);
      expect(Object.keys(await store.states()).toSorted()).toEqual(["a", "b", "d"]);
      expect(await store.journal.questions.find("q_a")).toMatchObject({ callId: "a" });
      expect(await store.isSound()).toBe(true);
    });

    it("is there when the journal was closed and another goes on, which may take the call over", async () => {
      await using store = await open();
      mustCommit(await store.journal.commit(asked("a")));
      await store.journal.close();
      const other = store.another();
      expect(await other.questions.find("q_a")).toMatchObject({ state: "awaiting_approval", kept: keptCall() });
      mustCommit(await other.commit(answered("a", YES)));
      const taken = {
        ...next("a", "approved", "executing"),
        takenBy: newCall("a", { owner: "owner_1", caller: "detached" }),
      };
      mustCommit(await other.commit(taken));
      // Whoever comes next finds it running, and its owner alive.
      expect(codeOf(await store.another().commit(taken))).toBe("ILLEGAL_TRANSITION");
      expect(await store.states()).toEqual({ a: "executing" });
    });
  });

  describe(`${name}: whoever waits for an answer`, () => {
    it("is given the one that is there already", async () => {
      await using store = await open();
      mustCommit(await store.journal.commit(asked("a")));
      mustCommit(await store.journal.commit(answered("a", YES)));
      expect(await store.journal.questions.answered("q_a", NEVER)).toMatchObject({ answer: YES });
    });

    it.each(ANSWERS)("is woken by %j, from here and from another process", async (answer, state) => {
      await using store = await open();
      const other = store.another();
      mustCommit(await store.journal.commit(asked("a")));
      const waiting = [store.journal, other, other].map(({ questions }) => questions.answered("q_a", NEVER));
      const receipt = mustCommit(await store.journal.commit(answered("a", answer)));
      for (const question of await Promise.all(waiting)) expect(question).toMatchObject({ answer, receipt, state });
    });

    it("is not woken by the answers of others", async () => {
      await using store = await open();
      const other = store.another();
      for (const id of ["a", "b", "c"]) mustCommit(await store.journal.commit(asked(id)));
      const controller = new AbortController();
      const done: string[] = [];
      const waiting = ["a", "b", "c"].map(async (id) => {
        const question = await store.journal.questions.answered(`q_${id}`, controller.signal);
        done.push(`${id} ${question?.answer?.kind}`);
      });
      mustCommit(await other.commit(answered("b", YES)));
      await waiting[1];
      mustCommit(await store.journal.commit(answered("a", { kind: "reject", who: "bob" })));
      await waiting[0];
      expect(done).toEqual(["b approve", "a reject"]);
      controller.abort();
      await Promise.all(waiting);
      expect(done).toEqual(["b approve", "a reject", "c undefined"]);
    });

    it("goes away with null when the signal aborts, before or while it waits", async () => {
      await using store = await open();
      mustCommit(await store.journal.commit(asked("a")));
      expect(await store.journal.questions.answered("q_a", AbortSignal.abort())).toBeNull();
      const controller = new AbortController();
      const waiting = store.journal.questions.answered("q_a", controller.signal);
      await store.journal.questions.find("q_a");
      controller.abort();
      expect(await waiting).toBeNull();
      expect(await store.journal.questions.find("q_a")).toMatchObject({ answer: null });
    });

    it("is answered although the answer comes at the same time as the waiting", async () => {
      await using store = await open();
      const other = store.another();
      const names = Array.from({ length: 30 }, (_, n) => `c${n}`);
      for (const id of names) mustCommit(await store.journal.commit(asked(id)));
      const waiting = names.flatMap((id, n) => {
        const wait = () => store.journal.questions.answered(`q_${id}`, NEVER);
        const give = () => void (n % 2 === 0 ? store.journal : other).commit(answered(id, YES));
        const early = n % 3 === 0 ? [wait()] : [];
        give();
        return [...early, wait()];
      });
      for (const question of await Promise.all(waiting)) expect(question).toMatchObject({ answer: YES });
    });
  });
}
