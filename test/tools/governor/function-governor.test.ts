import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../src/domain/json.ts";
import {
  type FunctionGovernor,
  functionGovernor,
  type GovernorAnswer,
} from "../../../src/tools/governor/function-governor.ts";
import { handClock } from "../../support/hand-clock.ts";
import { redactorFor } from "../../support/redaction.ts";
import { NEVER } from "../../support/sample-calls.ts";
import { QUESTION } from "./governor-ports.ts";

const redactor = redactorFor({ TOKEN: "s3cret-of-the-gate" });

const governor = (ask: FunctionGovernor["ask"], more: Partial<FunctionGovernor> = {}, clock = handClock()) =>
  functionGovernor({ id: "g", ask, ...more }, { clock, redactor });

const said = (ask: (question: JsonObject) => unknown) => governor(ask as FunctionGovernor["ask"]).ask(QUESTION, NEVER);

const error = (message: RegExp) => ({ status: "error", messages: [expect.stringMatching(message)] });

describe("a function", () => {
  it("says what it says, at once or later", async () => {
    const answer = { status: "reject", messages: ["no"], optionId: "o", score: 1, metadata: { a: 1 } };
    expect(await said(() => answer)).toEqual(answer);
    expect(await said(async () => answer)).toEqual(answer);
  });

  it("has its name, and wants a person only if it says so", () => {
    const ask = (): GovernorAnswer => ({ status: "approve" });
    expect(governor(ask)).toMatchObject({ id: "g", requiresManual: false });
    expect(governor(ask, { requiresManual: true })).toMatchObject({ requiresManual: true });
  });

  it("can't change the question", async () => {
    const before = structuredClone(QUESTION);
    await said((question) => {
      (question["toolCall"] as { name: string }).name = "another";
      return { status: "approve" };
    });
    expect(QUESTION).toEqual(before);
  });

  it.each<[string, () => unknown, RegExp]>([
    [
      "throws",
      () => {
        throw new Error("broken");
      },
      /^it can't be asked: `broken` \(mend it, or take it out\)$/,
    ],
    [
      "throws something else",
      () => {
        throw "x";
      },
      /^it can't be asked: something else than an error was thrown/,
    ],
    ["rejects", () => Promise.reject(new Error("later")), /`later`/],
    [
      "tells a secret in its error",
      () => {
        throw new Error("s3cret-of-the-gate");
      },
      /\[REDACTED:TOKEN\]/,
    ],
    ["gives nothing back", () => undefined, /^it gave nothing back/],
    ["gives a function back", () => () => {}, /^it gave nothing back/],
    ["gives a word back", () => "approve", /^its answer must be an object/],
    ["gives another status back", () => ({ status: "yes" }), /`status` of its answer/],
    ["gives half a character back", () => ({ status: "approve", messages: ["\ud800"] }), /its answer is no JSON/],
    [
      "gives a circle back",
      () => {
        const a: { a?: unknown } = {};
        a.a = a;
        return a;
      },
      /^it can't be asked: /,
    ],
    ["gives a big integer back", () => ({ status: "approve", score: 1n }), /^it can't be asked: /],
    ["gives too much back", () => ({ status: "approve", x: "x".repeat(1024 * 1024) }), /more than 1048576 bytes/],
  ])("is an error when it %s", async (_, ask, message) => expect(await said(ask)).toEqual(error(message)));

  it("has its words redacted", async () =>
    expect(await said(() => ({ status: "reject", messages: ["s3cret-of-the-gate"] }))).toEqual({
      status: "reject",
      messages: ["[REDACTED:TOKEN]"],
    }));
});

describe("its time", () => {
  it.each<[number | undefined, number]>([
    [undefined, 5000],
    [100, 100],
    [60_000, 60_000],
  ])("%s: it is waited for %d ms", async (timeoutMs, limitMs) => {
    for (const isLate of [false, true]) {
      const clock = handClock();
      const answer = Promise.withResolvers<GovernorAnswer>();
      let signal = NEVER;
      const one = governor(
        (_, given) => {
          signal = given;
          return answer.promise;
        },
        timeoutMs === undefined ? {} : { timeoutMs },
        clock,
      );
      const saying = one.ask(QUESTION, NEVER);
      clock.move(isLate ? limitMs : limitMs - 1);
      expect(signal.aborted).toBe(isLate);
      if (!isLate) answer.resolve({ status: "approve" });
      expect(await saying).toEqual(
        isLate ? error(new RegExp(`no answer within ${limitMs} ms`)) : { status: "approve", messages: [] },
      );
      expect(clock.waiting()).toBe(0);
    }
  });

  it.each([99, 60_001, 1.5, Number.NaN])("can't be %d ms", (timeoutMs) =>
    expect(() => governor(() => ({ status: "approve" }), { timeoutMs })).toThrow(
      /`timeoutMs` has to be from 100 to 60000/,
    ),
  );

  it("ends with the call", async () => {
    const stop = new AbortController();
    const saying = governor(() => new Promise(() => {})).ask(QUESTION, stop.signal);
    stop.abort();
    expect(await saying).toEqual(error(/the call was stopped/));
    expect(await governor(() => ({ status: "approve" })).ask(QUESTION, stop.signal)).toEqual(error(/stopped/));
  });
});
