import { describe, expect, it } from "vitest";
import { callFromLine, type RefusedLine } from "../../../src/doors/cli/call-from-line.ts";

const from = (text: string | Uint8Array) => callFromLine({ number: 7, bytes: Buffer.from(text) });

describe("a line of a batch", () => {
  it.each<[string, object]>([
    ['{"tool":"t","input":{"a":1}}', { tool: "t", input: { a: 1 } }],
    ['{"tool":"t","params":{"a":1}}', { tool: "t", input: { a: 1 } }],
    ['{"tool":"t"}', { tool: "t", input: {} }],
    [' {"tool":"t","input":[],"op":"explain"}\r', { tool: "t", input: [], op: "explain" }],
    ['{"tool":"t","op":"call"}', { tool: "t", input: {}, op: "call" }],
    ['{"tool":"t","input":null}', { tool: "t", input: {} }],
  ])("%s is a call", (line, call) => expect(from(line)).toEqual(call));

  it.each<[string, string | Uint8Array, readonly [string, string][]]>([
    ["no JSON", "nope", [["", "json"]]],
    ["spaces", "  ", [["", "json"]]],
    ["bytes that are no text", Uint8Array.of(0x22, 0xff, 0x22), [["", "json"]]],
    ["one name twice", '{"tool":"t","tool":"u"}', [["", "json"]]],
    ["no object", "[1]", [["", "type"]]],
    ["null", "null", [["", "type"]]],
    ["no tool", '{"input":{}}', [["tool", "required"]]],
    ["both names", '{"tool":"t","input":{},"params":{}}', [["params", "mutually_exclusive"]]],
    [
      "much at once",
      '{"tool":1,"inputs":{},"op":"run"}',
      [
        ["tool", "type"],
        ["inputs", "unknown_field"],
        ["op", "enum"],
      ],
    ],
  ])("%s: refused with its number and all that is wrong", (_, line, wrong) => {
    const refused = from(line);
    expect(refused).toMatchObject({ line: 7, refusal: { code: "INVALID_ARGUMENTS", stage: "validate" } });
    if (!("refusal" in refused)) throw new Error("no refusal");
    expect(refused.refusal.message).toMatch(/^line 7 is not a call: /);
    expect(refused.refusal.errors?.map(({ field, rule }) => [field, rule])).toEqual(wrong);
  });

  it.each<[string, object]>([
    ["nope", { tool: "", input: null }],
    ["[1]", { tool: "", input: [1] }],
    ['{"tool":1,"input":{}}', { tool: "", input: { tool: 1, input: {} } }],
    ['{"tool":"t","inptu":{}}', { tool: "t", input: { tool: "t", inptu: {} } }],
    ['{"tool":"t","op":"explan"}', { tool: "t", input: { tool: "t", op: "explan" } }],
    ['{"op":"explain"}', { tool: "", input: { op: "explain" }, op: "explain" }],
  ])("%s: what there is of a call is kept", (line, call) => {
    const { refusal: _, line: __, ...kept } = from(line) as RefusedLine;
    expect(kept).toEqual(call);
  });

  it("too long: refused as well", () => {
    expect(callFromLine({ number: 2, bytes: null })).toMatchObject({
      line: 2,
      tool: "",
      input: null,
      refusal: { errors: [{ rule: "max_size" }] },
    });
  });
});
