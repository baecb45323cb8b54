import { describe, expect, it } from "vitest";
import { CODES } from "../../../src/domain/codes.ts";
import { doubtfulSetting } from "../../../src/doors/acp/agent-modes.ts";
import { chooseOption } from "../../../src/doors/acp/choose-option.ts";
import { frameFrom } from "../../../src/doors/acp/frame.ts";
import { OutputTail } from "../../../src/doors/acp/output-tail.ts";
import { withMember } from "../../../src/doors/acp/splice.ts";
import { errorFrom, WIRE_ERRORS } from "../../../src/doors/acp/wire-errors.ts";

describe("the answers that an agent takes", () => {
  const option = (optionId: string, kind: string, name = optionId) => ({ optionId, kind, name });
  // Those that agents have been seen to offer.
  const GEMINI = [
    option("proceed_always", "allow_always"),
    option("proceed_once", "allow_once"),
    option("cancel", "reject_once"),
  ];
  const OPENCODE = [option("once", "allow_once"), option("always", "allow_always"), option("reject", "reject_once")];
  const CLAUDE = [
    option("allow_always", "allow_always"),
    option("allow", "allow_once"),
    option("reject", "reject_once"),
  ];
  const PLAN = [
    option("acceptEdits", "allow_always", "Yes, and auto-accept edits"),
    option("default", "allow_once", "Yes, and manually approve edits"),
    option("plan", "reject_once", "No, keep planning"),
  ];
  const modes = new Set(["default", "plan", "acceptEdits"]);

  it.each([
    [GEMINI, "proceed_once", "cancel"],
    [OPENCODE, "once", "reject"],
    [CLAUDE, "allow", "reject"],
    [PLAN, null, "plan"],
    [[option("a", "allow_once"), option("b", "allow_once")], "a", null],
    [[option("m", "allow_once", "Yes, in another mode"), option("b", "allow_once")], "b", null],
    [[option("b", "allow_always")], null, null],
    [[option("n", "reject_always"), option("r", "reject_once")], null, "r"],
    [[option("n", "reject_always")], null, "n"],
    [[option("x", "later_kind")], null, null],
    ["none", null, null],
    [[null, 7, {}, { optionId: 1, kind: "allow_once" }], null, null],
  ])("%j: yes is %j, no is %j", (options, allow, reject) => {
    expect(chooseOption(options as never, modes, false)).toEqual({ allow, reject });
  });

  it("may switch the mode where that is what is asked for, and never to one that asks nothing", () => {
    expect(chooseOption(PLAN, modes, true).allow).toBe("default");
    expect(chooseOption([option("auto", "allow_once")], modes, true).allow).toBeNull();
  });
});

describe("a setting in which an agent may stop asking", () => {
  const session = { harmless: new Set(["model", "auto-run"]) };
  it.each([
    ["session/set_mode", { modeId: "default" }, false],
    ["session/set_mode", { modeId: "read-only" }, false],
    ["session/set_mode", { modeId: "yolo" }, true],
    ["session/set_mode", { modeId: "code" }, true],
    ["session/set_mode", {}, true],
    ["session/set_config_option", { configId: "model", value: "b" }, false],
    ["session/set_config_option", { configId: "model", value: "bypass" }, true],
    ["session/set_config_option", { configId: "auto-run", value: true }, true],
    ["session/set_config_option", { configId: "other", value: "x" }, true],
    ["session/set_config_option", { configId: "other", value: "ask" }, false],
    ["session/set_config_option", { configId: 7, value: "x" }, true],
  ])("%s %j: %s", (method, params, isDoubtful) => {
    expect(doubtfulSetting(method, params as never, session) !== null).toBe(isDoubtful);
  });
});

describe("a member that is exchanged", () => {
  it.each([
    ['{"id":1}', '{"id":9}'],
    ['{ "a" : [1,{"id":2}], "id" :\t"x", "b":"id" }', '{ "a" : [1,{"id":2}], "id" :\t9, "b":"id" }'],
    ['{"\\u0069d":{"a":"}]\\""},"z":1}', '{"\\u0069d":9,"z":1}'],
    ['{"s":"\\\\","id":[[],{}]}', '{"s":"\\\\","id":9}'],
    ['{"e":{},"f":[],"g":null,"id":-1.5e3}', '{"e":{},"f":[],"g":null,"id":9}'],
  ])("%s", (text, expected) => expect(withMember(text, "id", "9")).toBe(expected));

  it("has to be there", () => expect(() => withMember('{"a":{"id":1}}', "id", "9")).toThrow("no member"));
});

describe("a line", () => {
  const kindOf = (text: string) => frameFrom(Buffer.from(text)).kind;
  it.each([
    ['{"jsonrpc":"2.0","id":1,"method":"a"}', "request"],
    ['{"jsonrpc":"2.0","id":null,"method":"a"}', "request"],
    ['{"jsonrpc":"2.0","method":"a"}', "notification"],
    ['{"jsonrpc":"2.0","id":1,"result":null}', "response"],
    ['{"jsonrpc":"2.0","id":1,"error":{}}', "response"],
    ['{"jsonrpc":"2.0","id":1,"error":{},"result":1}', "bad"],
    ['{"jsonrpc":"2.0","id":1.5,"method":"a"}', "bad"],
    ['{"jsonrpc":"2.0","id":[1],"method":"a"}', "bad"],
    ['{"jsonrpc":"2.0","method":7}', "bad"],
    ['{"jsonrpc":"1.0","id":1,"method":"a"}', "bad"],
    ['{"jsonrpc":"2.0","id":1,"id":2,"method":"a"}', "bad"],
    ['[{"jsonrpc":"2.0","method":"a"}]', "bad"],
    ["Loading…", "bad"],
  ])("%s is a %s", (text, kind) => expect(kindOf(text)).toBe(kind));
});

describe("the end of an output", () => {
  it.each([
    ["abc", 3, "abc", false],
    ["abc", 2, "bc", true],
    ["a\u20acb", 3, "b", true],
    ["a\u20acb", 4, "\u20acb", true],
    ["\u{1f600}", 3, "", true],
    ["abc", 0, "", true],
    ["", 0, "", false],
  ])("of %j in %i bytes is %j", (text, bytes, expected, truncated) => {
    const tail = new OutputTail(bytes);
    for (const character of text) tail.push(character);
    expect([tail.text, tail.truncated]).toEqual([expected, truncated]);
  });

  it("holds little of much", () => {
    const tail = new OutputTail(10);
    for (let n = 0; n < 100_000; n++) tail.push(`line ${n}\n`);
    expect(tail.text).toBe("ine 99999\n");
  });
});

describe("the codes", () => {
  it("all have their place on the wire", () => {
    expect(Object.keys(WIRE_ERRORS).toSorted()).toEqual(Object.keys(CODES).toSorted());
  });

  it("come with the rule and the hint", () => {
    const refusal = { code: "RULE_DENY", stage: "judge", message: "no", ruleId: "never", hint: "ask" } as const;
    const refused = { kind: "refused", callId: "c", tool: "t", durationMs: 0, refusal } as const;
    expect(errorFrom(refused)).toEqual({
      code: -32_603,
      message: "no",
      data: { code: "RULE_DENY", ruleId: "never", hint: "ask" },
    });
  });
});
