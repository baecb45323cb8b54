import { describe, expect, it } from "vitest";
import { readAs, shortly } from "../read-as.ts";

const USE = { type: "tool_use", id: "a", name: "t", input: { x: 1 } };

describe("calls in Anthropic's messages", () => {
  it.each<[string, unknown, unknown]>([
    ["none", { content: [{ type: "text", text: "hi" }] }, []],
    [
      "two, between words",
      { content: [USE, { type: "text", text: "" }, { ...USE, id: "b" }] },
      ['a t {"x":1}', 'b t {"x":1}'],
    ],
    ["those of the provider's tools are not ours", { content: [{ ...USE, type: "server_tool_use" }] }, []],
    ["no id", { content: [{ ...USE, id: undefined }] }, ['made1 t {"x":1}']],
    ["cut off", { content: [USE, { ...USE, id: "b" }], stop_reason: "max_tokens" }, ['a t {"x":1}', "b t!"]],
    ["two with one id: the first", { content: [USE, { ...USE, input: {} }] }, ['a t {"x":1}', "a t!"]],
    ["an input that is no object is the gate's to refuse", { content: [{ ...USE, input: "x" }] }, ['a t "x"']],
    ["no content", { role: "assistant" }, "content: `content` has to be a list and is missing"],
    [
      "a block that is none",
      { content: [7] },
      "content[0]: `content[0]` has to be an object and is of the type number",
    ],
    ["a block without a type", { content: [{}] }, "content[0].type: `content[0].type` has to be a text and is missing"],
    [
      "no name",
      { content: [USE, { ...USE, name: 7 }] },
      "content[1].name: `content[1].name` has to be a text and is of the type number",
    ],
    [
      "no input",
      {
        content: [
          { ...USE, input: null },
          { ...USE, id: "b" },
        ],
      },
      ["a t!", 'b t {"x":1}'],
    ],
    [
      "an id that is no text",
      { content: [{ ...USE, id: [] }] },
      "content[0].id: `content[0].id` has to be a text and is a list",
    ],
  ])("%s", (_, response, found) => {
    expect(shortly("anthropic", response)).toEqual(found);
  });

  it("are looked for in own members only", () => {
    expect(readAs("anthropic", Object.create({ content: [USE] }))).toContain("is missing");
  });
});
