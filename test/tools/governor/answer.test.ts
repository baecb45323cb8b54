import { describe, expect, it } from "vitest";
import type { JsonValue } from "../../../src/domain/json.ts";
import { readJson } from "../../../src/schema/json/read-json.ts";
import { saysFrom, shortened } from "../../../src/tools/governor/answer.ts";

const says = (value: JsonValue) => saysFrom(readJson(JSON.stringify(value)));

describe("an answer", () => {
  it.each(["approve", "reject", "needs_attention", "error"] as const)("%s", (status) =>
    expect(says({ status })).toEqual({ status, messages: [] }),
  );

  it("has all that it may have", () =>
    expect(
      says({
        ...{ status: "reject", optionId: "no", score: -0.5, messages: ["a", "b"] },
        ...{ followUpPrompt: "again", metadata: { b: [1] } },
      }),
    ).toEqual({ status: "reject", optionId: "no", score: -0.5, messages: ["a", "b"], metadata: { b: [1] } }));

  it("may have more, which is ignored, and null for what it has not", () =>
    expect(
      says({ status: "approve", confidence: 1, optionId: null, score: null, messages: null, metadata: null }),
    ).toEqual({ status: "approve", messages: [] }));

  it.each<[string, JsonValue, RegExp]>([
    ["no object", [], /its answer must be an object/],
    ["a text", "approve", /its answer must be an object/],
    ["no status", {}, /`status` of its answer is missing/],
    ["another status", { status: "approved" }, /`status` of its answer must be one of `approve`, `reject`/],
    ["a status in capitals", { status: "APPROVE" }, /`status` of its answer/],
    ["null as its status", { status: null }, /`status` of its answer/],
    ["a text as messages", { status: "approve", messages: "fine" }, /`messages` of its answer/],
    ["a number as a message", { status: "approve", messages: ["a", 1] }, /`messages\[1\]` of its answer/],
    ["a text as score", { status: "approve", score: "1" }, /`score` of its answer/],
    ["a number as option", { status: "approve", optionId: 1 }, /`optionId` of its answer/],
    ["too long an option", { status: "approve", optionId: "x".repeat(101) }, /`optionId` of its answer/],
    ["a list as metadata", { status: "approve", metadata: [] }, /`metadata` of its answer/],
    ["a list as follow-up", { status: "approve", followUpPrompt: [] }, /`followUpPrompt` of its answer/],
  ])("is an error with %s", (_, value, message) =>
    expect(says(value)).toEqual({ status: "error", messages: [expect.stringMatching(message)] }),
  );

  it("may have an option of a hundred characters", () =>
    expect(says({ status: "approve", optionId: "x".repeat(100) })).toMatchObject({ status: "approve" }));

  it.each(["{", '{"status":"reject","status":"approve"}', '{"status":"approve"} x'])("is an error as %s", (text) =>
    expect(saysFrom(readJson(text))).toEqual({
      status: "error",
      messages: [expect.stringMatching(/^its answer is no JSON: .*, at 1:\d+ \(it answers with one JSON object/)],
    }),
  );
});

describe("in short", () => {
  const messagesOf = (...messages: readonly string[]) => shortened({ status: "approve", messages }).messages;

  it.each<[string, string, string]>([
    ["a message of the most characters", "x".repeat(1000), "x".repeat(1000)],
    ["one more", "x".repeat(1001), `${"x".repeat(999)}…`],
    ["characters of two units", "😀".repeat(1000), "😀".repeat(1000)],
    ["one more of them", "😀".repeat(1001), `${"😀".repeat(999)}…`],
    ["many more of them", `a${"😀".repeat(5000)}`, `a${"😀".repeat(998)}…`],
  ])("%s", (_, message, short) => expect(messagesOf(message)).toEqual([short]));

  it("twenty messages", () => {
    const texts = Array.from({ length: 21 }, (_, index) => String(index));
    expect(messagesOf(...texts.slice(0, 20))).toHaveLength(20);
    expect(messagesOf(...texts)).toEqual(texts.slice(0, 20));
  });

  it("metadata of 4,096 bytes, or none of it", () => {
    const of = (length: number) =>
      shortened({ status: "approve", messages: [], metadata: { a: "x".repeat(length) } }).metadata;
    expect(of(4096 - '{"a":""}'.length)).toBeDefined();
    expect(of(4097 - '{"a":""}'.length)).toBeUndefined();
  });
});
