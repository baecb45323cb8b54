import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { firstAnswer } from "../../src/approval/first-answer.ts";
import type { PersonsAnswer, Question } from "../../src/domain/question.ts";
import type { Approver } from "../../src/ports/desk.ts";
import type { Questions, Stop } from "../../src/ports/questions.ts";
import { handClock } from "../support/hand-clock.ts";
import { NO, openApprover, YES } from "../support/open-approver.ts";
import { newQuestion } from "../support/sample-calls.ts";

const TIME_MS = 5000;

/** Everything that may answer, in the hands of a test. */
function asking(approver?: Approver) {
  const clock = handClock();
  const stop = new AbortController();
  const here = openApprover();
  const elsewhere = Promise.withResolvers<Question | null>();
  const heard: Stop[] = [];
  const questions: Questions = {
    open: async () => [],
    find: async () => null,
    ofCall: async () => null,
    answered: (_, signal) => {
      heard.push(signal);
      signal.addEventListener("abort", () => elsewhere.resolve(null));
      return elsewhere.promise;
    },
  };
  const question = newQuestion({ deadlineMs: clock.nowMs() + TIME_MS });
  const first = firstAnswer(question, { approver: approver ?? here.approver, clock, questions }, stop.signal);
  let isOver = false;
  const done = first.finally(() => {
    isOver = true;
  });
  done.catch(() => {});
  return { clock, stop, here, elsewhere, first, question, heard, isOver: () => isOver };
}

const STORED = { ...newQuestion(), answer: NO } as unknown as Question;

/** Nobody waits any more: no timer, no listener, and everybody has been told. */
function expectNothingLeft({ clock, here, heard }: ReturnType<typeof asking>): void {
  expect(clock.waiting()).toBe(0);
  for (const signal of heard) expect(signal.aborted).toBe(true);
  expect(here.signal()?.aborted ?? true).toBe(true);
}

describe("the first answer", () => {
  it.each<[string, (all: ReturnType<typeof asking>) => void, object]>([
    ["the person here", ({ here }) => here.answer(YES), { kind: "here", answer: YES }],
    ["the person here, who says no", ({ here }) => here.answer(NO), { kind: "here", answer: NO }],
    ["another door", ({ elsewhere }) => elsewhere.resolve(STORED), { kind: "stored", question: STORED }],
    ["the deadline", ({ clock }) => clock.move(TIME_MS), { kind: "here", answer: { kind: "expired" } }],
    ["a caller who goes away", ({ stop }) => stop.abort(), { kind: "here", answer: { kind: "cancelled" } }],
  ])("is that of %s, and nobody is left waiting", async (_, act, expected) => {
    const all = asking();
    await all.here.asked;
    expect(all.isOver()).toBe(false);
    act(all);
    expect(await all.first).toEqual(expected);
    expectNothingLeft(all);
  });

  it("is the one that came first, where two come in one turn", async () => {
    const all = asking();
    all.stop.abort();
    all.clock.move(TIME_MS);
    all.here.answer(YES);
    all.elsewhere.resolve(STORED);
    expect(await all.first).toEqual({ kind: "here", answer: { kind: "cancelled" } });
    const other = asking();
    other.elsewhere.resolve(STORED);
    other.here.answer(YES);
    expect((await other.first).kind).toBe("stored");
  });

  it("stays the first whatever comes later", async () => {
    const all = asking();
    all.here.answer(YES);
    const first = await all.first;
    all.elsewhere.resolve(STORED);
    all.stop.abort();
    all.clock.move(TIME_MS);
    await setImmediate();
    expect(await all.first).toBe(first);
  });

  it("is waited for until the deadline, and no longer", async () => {
    const all = asking();
    all.clock.move(TIME_MS - 1);
    await setImmediate();
    expect(all.isOver()).toBe(false);
    all.clock.move(1);
    expect(await all.first).toMatchObject({ answer: { kind: "expired" } });
  });

  it("is not waited for where the deadline is over already", async () => {
    const all = asking();
    const { clock, here } = all;
    const late = firstAnswer(
      newQuestion({ deadlineMs: clock.nowMs() - 1 }),
      {
        approver: here.approver,
        clock,
        questions: {
          open: async () => [],
          find: async () => null,
          ofCall: async () => null,
          answered: () => new Promise(() => {}),
        },
      },
      new AbortController().signal,
    );
    clock.move(0);
    expect(await late).toMatchObject({ answer: { kind: "expired" } });
  });
});

describe("nobody here", () => {
  it.each<[string, (all: ReturnType<typeof asking>) => void, string]>([
    ["another door answers", ({ elsewhere }) => elsewhere.resolve(STORED), "stored"],
    ["the deadline comes", ({ clock }) => clock.move(TIME_MS), "here"],
    ["the caller goes away", ({ stop }) => stop.abort(), "here"],
  ])("leaves the question open until %s", async (_, act, kind) => {
    const all = asking({ ask: async () => null });
    await setImmediate();
    expect(all.isOver()).toBe(false);
    act(all);
    expect((await all.first).kind).toBe(kind);
    expectNothingLeft(all);
  });

  it("nor at other doors, which gave up: the deadline still comes", async () => {
    const all = asking({ ask: async () => null });
    all.elsewhere.resolve(null);
    await setImmediate();
    expect(all.isOver()).toBe(false);
    all.clock.move(TIME_MS);
    expect(await all.first).toMatchObject({ answer: { kind: "expired" } });
  });
});

describe("an approver that does not keep to the rules", () => {
  it.each<unknown>([undefined, true, "approve", {}, { kind: "approved" }, { kind: "approve" }, { kind: "expired" }])(
    "says %j, which is no answer",
    async (answer) => {
      const all = asking({ ask: async () => answer as PersonsAnswer });
      await expect(all.first).rejects.toThrow(TypeError);
      expectNothingLeft(all);
    },
  );

  it.each<[string, Approver["ask"]]>([
    [
      "throws",
      () => {
        throw new Error("fell over");
      },
    ],
    ["breaks its promise", () => Promise.reject(new Error("fell over"))],
  ])("%s, and leaves nothing behind", async (_, ask) => {
    const all = asking({ ask });
    await expect(all.first).rejects.toThrow("fell over");
    expectNothingLeft(all);
  });

  it("breaks its promise after somebody else has answered, and nobody minds", async () => {
    const late = Promise.withResolvers<never>();
    const all = asking({ ask: () => late.promise });
    all.elsewhere.resolve(STORED);
    await all.first;
    late.reject(new Error("too late"));
    await setImmediate();
  });

  it("is shown the question, the deadline, and when it is over", async () => {
    const asked: unknown[] = [];
    const ask: Approver["ask"] = async (...args) => {
      asked.push(...args);
      return YES;
    };
    const { question, first } = asking({ ask });
    await first;
    const { approvalId, deadlineMs, shown } = question;
    expect(asked).toEqual([shown, { approvalId, deadlineMs }, expect.any(AbortSignal)]);
  });
});

describe("a caller who is gone already", () => {
  it("has nobody asked", async () => {
    let asked = 0;
    const count = async () => {
      asked++;
      return null;
    };
    const clock = handClock();
    const questions: Questions = {
      open: async () => [],
      find: async () => null,
      ofCall: async () => null,
      answered: count,
    };
    const question = newQuestion({ deadlineMs: clock.nowMs() + TIME_MS });
    const first = await firstAnswer(question, { approver: { ask: count }, clock, questions }, AbortSignal.abort());
    expect(first).toEqual({ kind: "here", answer: { kind: "cancelled" } });
    expect([asked, clock.waiting()]).toEqual([0, 0]);
  });
});

describe("a journal that can't be read", () => {
  it("ends the waiting, since no answer could be heard", async () => {
    const all = asking();
    all.elsewhere.reject(new Error("the disk is gone"));
    await expect(all.first).rejects.toThrow("the disk is gone");
    expectNothingLeft(all);
  });
});
