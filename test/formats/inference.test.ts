import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/domain/json.ts";
import { INFERENCE_FORMATS, refusalIn } from "../../src/formats/inference.ts";

const { anthropic, openai } = INFERENCE_FORMATS;

describe("an answer of Anthropic", () => {
  const message = (more: JsonObject): JsonObject => ({ type: "message", content: [], ...more });

  it("is all of its texts, and nothing of what the model has thought", () => {
    const content = [
      { type: "thinking", thinking: "hm", signature: "x" },
      { type: "text", text: "one " },
      { type: "text", text: "two" },
    ];
    const usage = { input_tokens: 1, cache_creation_input_tokens: null, cache_read_input_tokens: 4, output_tokens: 2 };
    expect(anthropic.answer(message({ model: "m", content, stop_reason: "max_tokens", usage }))).toEqual({
      text: "one two",
      model: "m",
      stopReason: "max_tokens",
      inputTokens: 5,
      outputTokens: 2,
    });
  });

  it.each<[string, JsonObject]>([
    ["nothing", {}],
    ["an error", { type: "error", error: {} }],
    ["a message without content", { type: "message" }],
    ["a message whose content is a text", { type: "message", content: "x" }],
  ])("is not %s", (_, body) => expect(anthropic.answer(body)).toBeNull());
});

describe("an answer of OpenAI", () => {
  const completion = (message: JsonObject, more: JsonObject = {}): JsonObject => ({ choices: [{ message }], ...more });

  it("is the first choice, or why there is none", () => {
    expect(openai.answer(completion({ content: "x" }))?.text).toBe("x");
    expect(openai.answer(completion({ content: null, refusal: "no" }))?.text).toBe("no");
    expect(openai.answer(completion({ content: null }))?.text).toBe("");
  });

  it.each<[string, JsonObject]>([
    ["nothing", {}],
    ["no choice", { choices: [] }],
    ["a choice without a message", { choices: [{ text: "x" }] }],
    ["an error", { error: { message: "x" } }],
  ])("is not %s", (_, body) => expect(openai.answer(body)).toBeNull());
});

it.each<[unknown, number | null]>([
  [7, 7],
  [0, 0],
  [-1, null],
  [1.5, null],
  ["7", null],
  [undefined, null],
  [1e300, null],
])("tokens told as %j are %j", (given, told) => {
  const usage = { input_tokens: given, output_tokens: given, prompt_tokens: given, completion_tokens: given };
  const bodies = { type: "message", content: [], choices: [{ message: { content: "" } }], usage } as never;
  for (const format of [anthropic, openai])
    expect(format.answer(bodies)).toMatchObject({ inputTokens: told, outputTokens: told });
});

it.each<[string, unknown, string | null]>([
  ["an object", { error: { message: "why" } }, "why"],
  ["a text", { error: "why" }, "why"],
  ["an empty text", { error: { message: "" } }, null],
  ["something else", { error: { message: 7 } }, null],
  ["null", { error: null }, null],
  ["a list", [], null],
  ["nothing", undefined, null],
])("a refusal is read from %s", (_, body, said) => expect(refusalIn(body as never)).toBe(said));
