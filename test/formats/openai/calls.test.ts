import { describe, expect, it } from "vitest";
import { shortly } from "../read-as.ts";

const call = (text: unknown, more: object = {}) => ({
  id: "a",
  type: "function",
  function: { name: "t", arguments: text },
  ...more,
});
const reply = (calls: unknown, more: object = {}) => ({ choices: [{ message: { tool_calls: calls }, ...more }] });

describe("calls in OpenAI's chat completions", () => {
  it.each<[string, unknown, unknown]>([
    ["none", reply(undefined), []],
    ["null, as some servers write it", reply(null), []],
    ["two", reply([call("{}"), call('{"x":1}', { id: "b" })]), ["a t {}", 'b t {"x":1}']],
    ["two with one id: the first", reply([call("{}"), call("{}"), call('{"x":1}')]), ["a t {}", "a t!", "a t!"]],
    ["no arguments at all", reply([call("")]), ["a t {}"]],
    [
      "arguments that are no JSON, and one that is good",
      reply([call("{"), call("{}", { id: "b" })]),
      ["a t!", "b t {}"],
    ],
    ["no id", reply([call("{}", { id: "" })]), ["made1 t {}"]],
    ["several choices: the first", { choices: [{ message: {} }, ...reply([call("{}")]).choices] }, []],
    ["cut off", reply([call("{}")], { finish_reason: "length" }), ["a t!"]],
    ["filtered", reply([call("{}")], { finish_reason: "content_filter" }), ["a t!"]],
    ["whole", reply([call("{}")], { finish_reason: "tool_calls" }), ["a t {}"]],
    [
      "a custom tool, which is none of ours",
      reply([{ id: "a", type: "custom", custom: { name: "t", input: "x" } }]),
      ["a t!"],
    ],
    ["no choice", { choices: [] }, "choices: `choices` has to be a list that is not empty and is a list"],
    ["arguments as an object, and one that is good", reply([call({}), call("{}", { id: "b" })]), ["a t!", "b t {}"]],
    ["arguments as a list", reply([call([])]), ["a t!"]],
    ["no arguments", reply([call(undefined)]), ["a t!"]],
    [
      "no function",
      reply([{ id: "a" }]),
      "choices[0].message.tool_calls[0].function: `choices[0].message.tool_calls[0].function` has to be an object and is missing",
    ],
  ])("%s", (_, response, found) => {
    expect(shortly("openai", response)).toEqual(found);
  });
});
