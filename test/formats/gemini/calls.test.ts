import { describe, expect, it } from "vitest";
import { readAs, shortly } from "../read-as.ts";

const CALL = { functionCall: { name: "t", args: { x: 1 } } };
const reply = (parts: unknown, more: object = {}) => ({ candidates: [{ content: { parts }, ...more }] });

describe("calls in Gemini's answers", () => {
  it.each<[string, unknown, unknown]>([
    ["none", reply([{ text: "hi" }]), []],
    ["no parts", reply(undefined), []],
    ["no content", { candidates: [{ finishReason: "STOP" }] }, []],
    ["no candidate", { candidates: [] }, []],
    ["a prompt that was blocked", { promptFeedback: { blockReason: "SAFETY" } }, []],
    ["with an id", reply([{ functionCall: { ...CALL.functionCall, id: "a" } }]), ['a t {"x":1}']],
    [
      "no arguments",
      reply([{ functionCall: { name: "t" } }, { functionCall: { name: "t", args: null } }]),
      ["made1 t {}", "made2 t {}"],
    ],
    ["a part of one", reply([{ functionCall: { name: "t", partialArgs: [] } }]), ["made1 t!"]],
    ["one that goes on", reply([{ functionCall: { name: "t", willContinue: true } }]), ["made1 t!"]],
    ["cut off", reply([CALL], { finishReason: "MAX_TOKENS" }), ["made1 t!"]],
    ["several candidates: the first", { candidates: [{ content: {} }, ...reply([CALL]).candidates] }, []],
    [
      "no name",
      reply([{ functionCall: {} }]),
      "candidates[0].content.parts[0].functionCall.name: `candidates[0].content.parts[0].functionCall.name` has to be a text and is missing",
    ],
    ["nothing of Gemini's", { content: [] }, "candidates: `candidates` has to be a list and is missing"],
  ])("%s", (_, response, found) => {
    expect(shortly("gemini", response)).toEqual(found);
  });

  it("of one function have ids of their own, though Gemini gives none", () => {
    expect(readAs("gemini", reply([CALL]))).toMatchObject([{ id: "made1", isIdGiven: false }]);
  });
});
