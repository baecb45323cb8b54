import { describe, expect, it } from "vitest";
import { Deadlines } from "../../src/approval/deadlines.ts";
import type { AnswerResult } from "../../src/approval/desk.ts";
import type { Question } from "../../src/domain/question.ts";
import { handClock } from "../support/hand-clock.ts";

function open(expire: (id: string) => Promise<AnswerResult> = async () => ({ kind: "unknown" })) {
  const clock = handClock(0);
  const said: string[] = [];
  const reported: unknown[] = [];
  let looked = 0;
  const questions = new Map<string, Partial<Question>>();
  const deadlines = new Deadlines({
    clock,
    desk: {
      find: async (id) => (questions.get(id) as Question | undefined) ?? null,
      expire: async (id) => {
        said.push(`expire ${id}`);
        const expired = await expire(id);
        if (expired.kind !== "failed") questions.set(id, { ...questions.get(id), answer: { kind: "expired" } });
        return expired;
      },
    },
    open: ({ after, limit }) => {
      looked++;
      return [...questions.values()]
        .filter(({ answer, approvalId = "" }) => answer === null && approvalId > after)
        .map(({ approvalId = "", deadlineMs = 0 }) => ({ approvalId, deadlineMs }))
        .sort((a, b) => (a.approvalId < b.approvalId ? -1 : 1))
        .slice(0, limit);
    },
    warn: ({ approvalId }) => void said.push(`warn ${approvalId}`),
    faults: { report: (cause) => void reported.push(cause) },
  });
  const add = (approvalId: string, deadlineMs: number) => {
    questions.set(approvalId, { approvalId, deadlineMs, answer: null });
  };
  return { clock, said, reported, questions, deadlines, add, looked: () => looked };
}

describe("deadlines", () => {
  it("warn a minute before, and close what is over, in order", async () => {
    const { clock, said, deadlines, add } = open();
    add("b", 400_000);
    add("a", 300_000);
    for (const [atMs, expected] of [
      [239_999, []],
      [240_000, ["warn a"]],
      [299_999, ["warn a"]],
      [300_000, ["warn a", "expire a"]],
      [500_000, ["warn a", "expire a", "expire b"]],
    ] as const) {
      clock.move(atMs - clock.nowMs());
      await deadlines.look();
      expect(said).toEqual(expected);
    }
  });

  it("go through many, and no further than to what is far off", async () => {
    const { clock, said, deadlines, add, looked } = open();
    const id = (n: number) => String(n).padStart(6, "0");
    for (let n = 0; n < 1000; n++) add(id(n), n < 300 ? 300_000 : 1_000_000);
    clock.move(300_000);
    await deadlines.look();
    expect(said).toEqual(Array.from({ length: 300 }, (_, n) => `expire ${id(n)}`));
    expect(looked()).toBe(3);
    await deadlines.look();
    expect([said.length, looked()]).toEqual([300, 4]);
  });

  it("warn of nothing that was answered", async () => {
    const { clock, said, questions, deadlines, add } = open();
    add("a", 300_000);
    questions.set("a", { ...questions.get("a"), answer: { kind: "cancelled" } });
    clock.move(241_000);
    await deadlines.look();
    expect(said).toEqual([]);
  });

  it.each([
    [
      "can't be written",
      async (): Promise<AnswerResult> => ({
        kind: "failed",
        refusal: { code: "LEDGER_UNAVAILABLE", stage: "journal", message: "" },
      }),
    ],
    ["throws", () => Promise.reject(new Error("busy"))],
  ])("try again when it %s", async (_, expire) => {
    const { clock, said, deadlines, add } = open(expire);
    add("a", 1000);
    clock.move(2000);
    await deadlines.look();
    clock.move(2000);
    await deadlines.look();
    expect(said.filter((one) => one === "expire a")).toHaveLength(2);
  });

  it("look by themselves, until they are stopped", async () => {
    const { clock, said, deadlines, add } = open();
    add("a", 1000);
    deadlines.start();
    clock.move(3000);
    await expect.poll(() => said).toContain("expire a");
    deadlines.stop();
    expect(clock.waiting()).toBe(0);
  });
});
