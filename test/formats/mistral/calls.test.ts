import { describe, expect, it } from "vitest";
import { readAs, shortly } from "../read-as.ts";

const call = (given: unknown, id: unknown = "a") => ({ id, function: { name: "t", arguments: given } });
const wire = (calls: unknown, more: object = {}) => ({ choices: [{ message: { tool_calls: calls }, ...more }] });
const sdk = (calls: unknown, more: object = {}) => ({ choices: [{ message: { toolCalls: calls }, ...more }] });

describe("calls in Mistral's answers", () => {
  it.each<[string, unknown, unknown]>([
    ["none", wire(null), []],
    ["none, from the package", sdk(null), []],
    ["a text", wire([call("{}")]), ["a t {}"]],
    ["an object", sdk([call({ x: 1 })]), ['a t {"x":1}']],
    ["a text that is no JSON", wire([call("{")]), ["a t!"]],
    ["no id, as the package writes it", sdk([call("{}", "null")]), ["made1 t {}"]],
    ["cut off", wire([call("{}")], { finish_reason: "length" }), ["a t!"]],
    ["cut off, from the package", sdk([call("{}")], { finishReason: "model_length" }), ["a t!"]],
    ["no choice", { choices: [] }, "choices: `choices` has to be a list that is not empty and is a list"],
    ["no arguments, and one that is good", wire([call(null), call("{}", "b")]), ["a t!", "b t {}"]],
    ["two with one id: the first", wire([call("{}"), call("{}")]), ["a t {}", "a t!"]],
  ])("%s", (_, response, found) => {
    expect(shortly("mistral", response)).toEqual(found);
  });

  it("remember how they were spelt", () => {
    expect(readAs("mistral", wire([call("{}")]))).toMatchObject([{ spelling: "snake_case" }]);
    expect(readAs("mistral", sdk([call("{}")]))).toMatchObject([{ spelling: "camelCase" }]);
  });
});
