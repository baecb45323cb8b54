import { describe, expect, it } from "vitest";
import { hearGovernors } from "../../src/approval/hear-governors.ts";
import { digestOf } from "../../src/domain/digest.ts";
import type { FeedbackStatus, GovernorSays } from "../../src/domain/feedback.ts";
import type { Governor } from "../../src/ports/governor.ts";
import { handClock } from "../support/hand-clock.ts";
import { NEVER } from "../support/sample-calls.ts";

const QUESTION = { phase: "permission", sessionId: "s", toolCall: { name: "write_file" } };

const governor = (id: string, ask: Governor["ask"], requiresManual = false): Governor => ({ id, requiresManual, ask });
const saying = (id: string, status: FeedbackStatus): Governor => governor(id, async () => ({ status, messages: [] }));

const heard = (governors: readonly Governor[], stopOnFirstReject = false, clock = handClock()) =>
  hearGovernors({ governors, stopOnFirstReject }, QUESTION, { clock }, NEVER);

describe("all at once", () => {
  it("are heard in their order, whoever is first to answer", async () => {
    const clock = handClock();
    const first = Promise.withResolvers<GovernorSays>();
    const asked: unknown[] = [];
    const slow = governor(
      "slow",
      (question) => {
        asked.push(question);
        return first.promise;
      },
      true,
    );
    const quick = governor("quick", async (question) => {
      asked.push(question);
      clock.move(7);
      first.resolve({ status: "approve", messages: ["fine"], score: 0.5, optionId: "o", metadata: { a: 1 } });
      return { status: "reject", messages: [] };
    });
    const inputHash = digestOf(QUESTION);
    expect(await heard([slow, quick], false, clock)).toEqual([
      {
        ...{ id: "slow", requiresManual: true, inputHash, latencyMs: 7 },
        ...{ status: "approve", messages: ["fine"], score: 0.5, optionId: "o", metadata: { a: 1 } },
      },
      { id: "quick", requiresManual: false, inputHash, latencyMs: 7, status: "reject", messages: [] },
    ]);
    expect(asked).toEqual([QUESTION, QUESTION]);
  });

  it("are all heard, also after a no", async () => {
    const said = await heard([saying("a", "reject"), saying("b", "approve"), saying("c", "reject")]);
    expect(said.map(({ id, status }) => [id, status])).toEqual([
      ["a", "reject"],
      ["b", "approve"],
      ["c", "reject"],
    ]);
  });

  it("may be nobody", async () => expect(await heard([])).toEqual([]));
});

describe("until the first no", () => {
  it.each<[FeedbackStatus, readonly string[]]>([
    ["approve", ["a", "b", "c"]],
    ["needs_attention", ["a", "b", "c"]],
    ["error", ["a", "b", "c"]],
    ["reject", ["a", "b"]],
  ])("%s of the second: %j are heard", async (status, ids) => {
    const said = await heard([saying("a", "approve"), saying("b", status), saying("c", "approve")], true);
    expect(said.map(({ id }) => id)).toEqual(ids);
  });

  it("nobody is asked before the one before has answered", async () => {
    const asked: string[] = [];
    const slow = Promise.withResolvers<GovernorSays>();
    const note = (id: string, says: Promise<GovernorSays>) =>
      governor(id, () => {
        asked.push(id);
        return says;
      });
    const hearing = heard(
      [note("a", slow.promise), note("b", Promise.resolve({ status: "approve", messages: [] }))],
      true,
    );
    await new Promise((resolve) => setImmediate(resolve));
    expect(asked).toEqual(["a"]);
    slow.resolve({ status: "approve", messages: [] });
    await hearing;
    expect(asked).toEqual(["a", "b"]);
  });
});

it.each<[string, Governor["ask"]]>([
  ["rejects", async () => Promise.reject(new Error("x"))],
  [
    "throws",
    () => {
      throw new Error("x");
    },
  ],
])("one that %s all the same is an error, and the others are heard", async (_, ask) => {
  const said = await heard([governor("a", ask, true), saying("b", "approve")]);
  expect(said).toMatchObject([
    { id: "a", status: "error", requiresManual: true, messages: [expect.stringContaining("can't be asked")] },
    { id: "b", status: "approve" },
  ]);
});

it("hands the signal on", async () => {
  const stop = new AbortController();
  const given: AbortSignal[] = [];
  const one = governor("a", async (_, signal) => {
    given.push(signal);
    return { status: "approve", messages: [] };
  });
  await hearGovernors({ governors: [one], stopOnFirstReject: false }, QUESTION, { clock: handClock() }, stop.signal);
  stop.abort();
  expect(given[0]?.aborted).toBe(true);
});
