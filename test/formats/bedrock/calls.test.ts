import { describe, expect, it } from "vitest";
import { shortly } from "../read-as.ts";

const USE = { toolUseId: "a", name: "t", input: { x: 1 } };
const reply = (content: unknown, more: object = {}) => ({ output: { message: { content } }, ...more });

describe("calls in Bedrock's answers", () => {
  it.each<[string, unknown, unknown]>([
    ["none", reply([{ text: "hi" }]), []],
    ["two", reply([{ toolUse: USE }, { toolUse: { ...USE, toolUseId: "b" } }]), ['a t {"x":1}', 'b t {"x":1}']],
    ["those of the provider's tools are not ours", reply([{ toolUse: { ...USE, type: "server_tool_use" } }]), []],
    ["cut off", reply([{ toolUse: USE }], { stopReason: "max_tokens" }), ["a t!"]],
    ["no message", { output: {} }, "output.message: `output.message` has to be an object and is missing"],
    ["no input", reply([{ toolUse: { ...USE, input: null } }]), ["a t!"]],
    ["two with one id: the first", reply([{ toolUse: USE }, { toolUse: USE }]), ['a t {"x":1}', "a t!"]],
  ])("%s", (_, response, found) => {
    expect(shortly("bedrock", response)).toEqual(found);
  });
});
