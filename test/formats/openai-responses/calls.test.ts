import { describe, expect, it } from "vitest";
import { shortly } from "../read-as.ts";

const CALL = { type: "function_call", id: "fc", call_id: "a", name: "t", arguments: "{}", status: "completed" };

describe("calls in OpenAI's responses", () => {
  it.each<[string, unknown, unknown]>([
    ["none", { output: [] }, []],
    [
      "by `call_id`, among other items",
      { output: [{ type: "reasoning" }, CALL, { type: "web_search_call" }] },
      ["a t {}"],
    ],
    ["no `call_id`", { output: [{ ...CALL, call_id: null }] }, ["made1 t {}"]],
    ["in a namespace, which is none of ours", { output: [{ ...CALL, namespace: "crm" }] }, ["a crm.t {}"]],
    [
      "an incomplete item",
      {
        output: [
          { ...CALL, status: "incomplete" },
          { ...CALL, call_id: "b" },
        ],
      },
      ["a t!", "b t {}"],
    ],
    ["two with one id: the first", { output: [CALL, CALL] }, ["a t {}", "a t!"]],
    ["an incomplete response", { status: "incomplete", output: [CALL, { ...CALL, call_id: "b" }] }, ["a t {}", "b t!"]],
    ["no output", {}, "output: `output` has to be a list and is missing"],
    ["no arguments", { output: [{ ...CALL, arguments: null }] }, ["a t!"]],
    [
      "arguments as an object",
      {
        output: [
          { ...CALL, arguments: {} },
          { ...CALL, call_id: "b" },
        ],
      },
      ["a t!", "b t {}"],
    ],
  ])("%s", (_, response, found) => {
    expect(shortly("openai-responses", response)).toEqual(found);
  });
});
