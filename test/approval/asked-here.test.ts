import { expect, it } from "vitest";
import { AskedHere } from "../../src/approval/asked-here.ts";
import type { NewQuestion } from "../../src/domain/question.ts";

const CALL = { callId: "call_1" };

const question = (approvalId: string, { people = 1, length = 0, kept = {} as unknown } = {}): NewQuestion =>
  ({
    approvalId,
    project: "default",
    deadlineMs: 1,
    shown: { reasons: ["x".repeat(length)], ...(people > 1 && { approvers: [{ people }] }) },
    kept,
  }) as unknown as NewQuestion;

function remembered(...questions: readonly NewQuestion[]): AskedHere {
  const asked = new AskedHere();
  for (const each of questions) asked.remember(each, CALL, "session");
  return asked;
}

it("is given out once, open and as it was asked", () => {
  const given = question("a");
  const asked = remembered(given);
  const open = { state: "awaiting_approval", votes: [], answer: null, receipt: null };
  expect(asked.take("a")).toEqual({ ...given, ...open, callId: "call_1", sessionId: "session" });
  expect(asked.take("a")).toBeNull();
});

it.each([
  ["one of a call that somebody holds", question("a", { kept: null })],
  ["one that needs several people", question("a", { people: 2 })],
  ["a long one", question("a", { length: 16 * 1024 })],
])("%s is read from the store", (_, given) => {
  expect(remembered(given).take("a")).toBeNull();
});

it("is not written out to find out how long it is", () => {
  const toJSON = () => expect.unreachable();
  expect(remembered(question("a", { kept: { rawInput: { text: "x", toJSON } } })).take("a")).not.toBeNull();
  expect(remembered(question("a", { kept: { rawInput: { text: "x".repeat(20_000), toJSON } } })).take("a")).toBeNull();
});

it("the oldest makes room", () => {
  const asked = remembered(...Array.from({ length: 257 }, (_, n) => question(`a${n}`)));
  expect([asked.take("a0"), asked.take("a1")?.approvalId, asked.take("a256")?.approvalId]).toEqual([
    null,
    "a1",
    "a256",
  ]);
});
