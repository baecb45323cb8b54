import { describe, expect, it } from "vitest";
import type { JudgedCall } from "../../src/domain/call.ts";
import { LIMITS } from "../../src/domain/limits.ts";
import { approve } from "../../src/pipeline/approve.ts";
import type { Answer, Desk } from "../../src/ports/desk.ts";
import { handClock } from "../support/hand-clock.ts";
import { judgedCall, NEVER } from "../support/sample-calls.ts";

const TIME_MS = LIMITS.approvalMs.default;

const answering = (answer: Answer): Desk => ({ ask: async () => answer });
const SILENT: Desk = { ask: () => new Promise(() => {}) };

async function codeFor(answer: Answer): Promise<string> {
  const step = await approve(judgedCall("ask"), { desk: answering(answer), clock: handClock() }, NEVER);
  return step.kind === "pass" ? "pass" : step.refusal.code;
}

describe("approve", () => {
  it("passes a rule's allow without asking anybody", async () => {
    const desk: Desk = {
      ask: () => {
        throw new Error("asked");
      },
    };
    const step = await approve(judgedCall("allow"), { desk, clock: handClock() }, NEVER);
    expect(step.kind === "pass" && step.call.approval).toEqual({ by: "rule", who: "r" });
  });

  it("passes a person's yes", async () => {
    const ports = { desk: answering({ kind: "approve", who: "ann" }), clock: handClock() };
    const step = await approve(judgedCall("ask"), ports, NEVER);
    expect(step.kind === "pass" && step.call.approval).toEqual({ by: "person", who: "ann" });
  });

  it.each<[Answer, string]>([
    [{ kind: "approve", who: "ann" }, "pass"],
    [{ kind: "reject", who: "ann" }, "APPROVAL_REJECTED"],
    [{ kind: "expired" }, "APPROVAL_EXPIRED"],
    [{ kind: "nobody" }, "APPROVAL_UNAVAILABLE"],
    [{ kind: "cancelled" }, "CANCELLED"],
  ])("answer %j: %s", async (answer, code) => expect(await codeFor(answer)).toBe(code));

  it.each([
    ["LOW", 300_000],
    ["MEDIUM", 300_000],
    ["HIGH", 600_000],
  ] as const)("a question of risk %s is open for %i ms", async (risk, timeMs) => {
    const deadlines: number[] = [];
    const desk: Desk = {
      ask: async (_, deadlineMs) => {
        deadlines.push(deadlineMs);
        return { kind: "nobody" };
      },
    };
    const call = judgedCall("ask");
    await approve({ ...call, verdict: { ...call.verdict, risk } }, { desk, clock: handClock(5000) }, NEVER);
    expect(deadlines).toEqual([5000 + timeMs]);
  });

  it("says who said no, and why if they did", async () => {
    const messageFor = async (answer: Answer) => {
      const step = await approve(judgedCall("ask"), { desk: answering(answer), clock: handClock() }, NEVER);
      return step.kind === "refuse" ? [step.refusal.message, step.refusal.hint] : null;
    };
    expect(await messageFor({ kind: "reject", who: "ann" })).toEqual(["ann said no", "do it another way"]);
    expect((await messageFor({ kind: "reject", who: "ann", reason: "not on Friday" }))?.[0]).toBe(
      "ann said no: not on Friday",
    );
    expect(await messageFor({ kind: "cancelled" })).toEqual([
      "the call was cancelled while its question was open",
      undefined,
    ]);
  });

  it("shows the desk the judged call, the deadline and the signal", async () => {
    const clock = handClock(5000);
    const call = judgedCall("ask");
    const asked: [JudgedCall, number, AbortSignal][] = [];
    const desk: Desk = {
      ask: async (...args) => {
        asked.push(args);
        return { kind: "expired" };
      },
    };
    await approve(call, { desk, clock }, NEVER);
    expect(asked).toEqual([[call, 5000 + TIME_MS, NEVER]]);
  });
});

describe("a desk that does not keep to the rules", () => {
  it.each<unknown>([undefined, null, true, "approve", {}, { kind: "approved" }, { kind: "pass", call: {} }, []])(
    "says %j, which is no yes",
    async (answer) => {
      const ports = { desk: answering(answer as Answer), clock: handClock() };
      await expect(approve(judgedCall("ask"), ports, NEVER)).rejects.toThrow(TypeError);
    },
  );

  it("is not waited for after the deadline, and no earlier", async () => {
    const clock = handClock();
    let ended = false;
    const step = Promise.resolve(approve(judgedCall("ask"), { desk: SILENT, clock }, NEVER)).finally(() => {
      ended = true;
    });
    clock.move(TIME_MS - 1);
    await Promise.resolve();
    expect(ended).toBe(false);
    clock.move(1);
    expect(await step).toMatchObject({ kind: "refuse", refusal: { code: "APPROVAL_EXPIRED" } });
  });

  it("is not heard when it says yes after the deadline", async () => {
    const clock = handClock();
    const { promise, resolve: answer } = Promise.withResolvers<Answer>();
    const step = approve(judgedCall("ask"), { desk: { ask: () => promise }, clock }, NEVER);
    clock.move(TIME_MS);
    answer({ kind: "approve", who: "late" });
    expect(await step).toMatchObject({ kind: "refuse", refusal: { code: "APPROVAL_EXPIRED" } });
  });

  it("is not waited for when the caller cancels", async () => {
    const stop = new AbortController();
    const clock = handClock();
    const step = approve(judgedCall("ask"), { desk: SILENT, clock }, stop.signal);
    stop.abort();
    expect(await step).toMatchObject({ kind: "refuse", refusal: { code: "CANCELLED" } });
    expect(clock.waiting()).toBe(0);
  });

  it("is not asked for a caller who is gone already", async () => {
    let asked = 0;
    const desk: Desk = {
      ask: async () => {
        asked++;
        return { kind: "approve", who: "ann" };
      },
    };
    const step = await approve(judgedCall("ask"), { desk, clock: handClock() }, AbortSignal.abort());
    expect(step).toMatchObject({ kind: "refuse", refusal: { code: "CANCELLED" } });
    expect(asked).toBe(0);
  });

  it("leaves no timer behind when it throws", async () => {
    const clock = handClock();
    const desk: Desk = {
      ask: () => {
        throw new Error("the desk fell over");
      },
    };
    await expect(approve(judgedCall("ask"), { desk, clock }, NEVER)).rejects.toThrow("fell over");
    expect(clock.waiting()).toBe(0);
  });
});
