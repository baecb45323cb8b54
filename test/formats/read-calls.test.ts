import { describe, expect, it } from "vitest";
import type { FoundCall } from "../../src/formats/found-calls.ts";
import { readCalls } from "../../src/formats/read-calls.ts";
import { readJson } from "../../src/schema/json/read-json.ts";

function read(calls: readonly FoundCall[], cutBy: string | null = null) {
  let made = 0;
  const answer = readCalls("x", {}, () => ({ calls, cutBy }), { readJson, newId: () => `made_${++made}` });
  if (!answer.ok) throw new Error(answer.problem.message);
  return answer.calls;
}

const text = (words: string): FoundCall => ({ id: "a", name: "t", input: { kind: "text", text: words } });

describe("the calls of a response", () => {
  it.each([
    ['{"a":[1]}', { value: { a: [1] } }],
    ["", { value: {} }],
    [" \n", { value: {} }],
    ["7", { value: 7 }], // the gate says that arguments have to be an object
    ["{", { unusable: expect.stringMatching(/^the arguments are not JSON: line 1, column 2: /) }],
    ['{"a":1,"a":2}', { unusable: expect.stringContaining("the name `a` stands twice in one object") }],
    ['{"__proto__":{"a":1}}', { unusable: expect.stringContaining("the name `__proto__` is not allowed") }],
    ["[".repeat(300), { unusable: expect.stringContaining("nested more than 256 deep") }],
    ['{"a":"\ud800"}', { unusable: expect.stringContaining("half of a surrogate pair") }],
    ["{'a':1}", { unusable: expect.any(String) }],
    ['{"a":1} and more', { unusable: expect.any(String) }],
    ["NaN", { unusable: expect.any(String) }],
  ])("read arguments strictly: %s", (words, input) => {
    expect(read([text(words)])).toEqual([{ id: "a", isIdGiven: true, name: "t", input }]);
  });

  it("go on after one that can't be read", () => {
    expect(read([text("{"), { ...text("{}"), id: "b" }]).map(({ input }) => Object.keys(input))).toEqual([
      ["unusable"],
      ["value"],
    ]);
  });

  it("get an id where they have none, which no other has", () => {
    const none = { ...text("{}"), id: null };
    const ids = read([none, { ...none, id: "made_1" }, none]).map(({ id, isIdGiven }) => [id, isIdGiven]);
    expect(ids).toEqual([
      ["made_2", false],
      ["made_1", true],
      ["made_3", false],
    ]);
  });

  it("that share an id keep it, as results are matched by nothing else, and only the first is one", () => {
    const calls = read([text("{}"), { ...text("{}"), id: "b" }, text("{}"), text('{"other":1}')]);
    expect(calls.map(({ id }) => id)).toEqual(["a", "b", "a", "a"]);
    const repeated = { unusable: expect.stringContaining("another call with the same id before this one") };
    expect(calls.map(({ input }) => input)).toEqual([{ value: {} }, { value: {} }, repeated, repeated]);
  });

  it("are not made of a response that was cut off in the last of them", () => {
    const [first, last] = read([text("{}"), { ...text("{}"), id: "b" }], "max_tokens");
    expect(first?.input).toEqual({ value: {} });
    expect(last?.input).toEqual({ unusable: expect.stringContaining("cut off, so the call may not be whole") });
    expect(read([], "max_tokens")).toEqual([]);
  });

  it("throw what is no fault of the response", () => {
    const broken = () => {
      throw new TypeError("ours");
    };
    expect(() => readCalls("x", {}, broken, { readJson, newId: () => "" })).toThrow("ours");
  });
});
