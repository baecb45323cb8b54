import { describe, expect, it } from "vitest";
import { LIMITS } from "../../../src/domain/limits.ts";
import type { Touch } from "../../../src/domain/touch.ts";
import type { RuleSource } from "../../../src/rules/rule.ts";
import { defineTool, type FunctionResult, type FunctionTool } from "../../../src/tools/function/define-tool.ts";
import { ToolError } from "../../../src/tools/function/tool-error.ts";
import { ALLOW_ALL, asKind, codeOf, openScratchGate } from "../../support/scratch-gate.ts";

const UNKNOWN_ALLOWED: RuleSource = { id: "unknown", effect: "allow", tools: ["mine"], touch: { unknown: true } };

const mine = (more: Partial<FunctionTool> = {}): FunctionTool => ({
  name: "mine",
  description: "mine",
  inputSchema: { type: "object" },
  execute: () => "ran",
  ...more,
});

async function outcomeOf(tool: FunctionTool, rules: readonly RuleSource[] = [UNKNOWN_ALLOWED]) {
  await using scratch = openScratchGate({ rules, tools: [defineTool(tool)] });
  return await scratch.gate.call({ tool: "mine", input: { a: 1 } }, { whenAsked: "return" });
}

describe("what a function tool touches", () => {
  it.each<[string, readonly RuleSource[], string]>([
    ["no rule", [], "DEFAULT_DENY"],
    ["rules about files", ALLOW_ALL, "DEFAULT_DENY"],
    ["an allow of everything, which does not name it", [{ id: "all", effect: "allow" }], "DEFAULT_DENY"],
    ["an allow that names it", [UNKNOWN_ALLOWED], "completed"],
    ["an allow that names it, for another tool", [{ ...UNKNOWN_ALLOWED, tools: ["yours"] }], "DEFAULT_DENY"],
    ["a deny of everything beside it", [UNKNOWN_ALLOWED, { id: "no", effect: "deny" }], "RULE_DENY"],
    ["an ask of everything beside it", [UNKNOWN_ALLOWED, { id: "ask", effect: "ask" }], "pending"],
  ])("if it does not say, is unknown: under %s", async (_, rules, code) => {
    expect(codeOf(await outcomeOf(mine(), rules))).toBe(code);
  });

  it.each<[string, unknown]>([
    ["undefined", undefined],
    ["an empty list", []],
  ])("is unknown where it says %s", async (_, said) => {
    const tool = mine({ touches: () => said as [Touch] });
    expect(codeOf(await outcomeOf(tool, [{ id: "all", effect: "allow" }]))).toBe("DEFAULT_DENY");
    expect(codeOf(await outcomeOf(tool))).toBe("completed");
  });

  it.each<[string, string]>([
    ["/elsewhere", "DEFAULT_DENY"],
    ["relative", "DEFAULT_DENY"],
    ["/a/../b", "DEFAULT_DENY"],
  ])("is judged by the path that it says: %s", async (path, code) => {
    const tool = mine({ touches: () => [{ kind: "read", path }] });
    expect(codeOf(await outcomeOf(tool, ALLOW_ALL))).toBe(code);
  });

  it.each<[string, () => never]>([
    [
      "throws",
      () => {
        throw new Error("a bug");
      },
    ],
    ["says nonsense", () => [null] as never],
    ["says what has no digest", () => [{ kind: "read", path: "\ud800" }] as never],
  ])("that %s is not run", async (_, touches) => {
    let ran = 0;
    const tool = mine({ touches, execute: () => `${++ran}` });
    const outcome = await outcomeOf(tool, [{ id: "all", effect: "allow" }]);
    expect([outcome.kind, ran]).toEqual(["refused", 0]);
  });

  it("is worked out from its arguments, which it can't change", async () => {
    const tool = mine({
      touches: (input) => {
        Object.assign(input, { a: 2 });
        return [{ kind: "unknown", reason: "x" }];
      },
    });
    expect(codeOf(await outcomeOf(tool))).toBe("FAULT");
  });
});

const throwing = (): never => {
  throw new ToolError("no linter for cobol correct horse", { retryable: true });
};

describe("what a function tool gives back", () => {
  it.each<[string, unknown, object]>([
    ["a text", "ran", { content: [{ type: "text", text: "ran" }] }],
    ["an empty text", "", { content: [{ type: "text", text: "" }] }],
    ["content", { content: [] }, { content: [] }],
    ["content and structure", { content: [], structured: { a: 1 } }, { content: [], structured: { a: 1 } }],
    ["more than that", { content: [], kind: "failed", exitCode: 7 }, { content: [] }],
  ])("%s", async (_, result, expected) => {
    const outcome = asKind(await outcomeOf(mine({ execute: () => result as string })), "completed");
    expect(outcome).toMatchObject(expected);
    expect(outcome).not.toHaveProperty("exitCode");
  });

  it.each<[string, unknown]>([
    ["nothing", undefined],
    ["null", null],
    ["a number", 7],
    ["an object without content", { text: "x" }],
    ["content that is no list", { content: "x" }],
    ["a bigint", { content: [], structured: { n: 1n } }],
  ])("%s is a failure of the tool", async (_, result) => {
    const outcome = asKind(await outcomeOf(mine({ execute: () => result as string })), "failed");
    expect(outcome.error.code).toBe("TOOL_FAILED");
  });

  it("a throw is a failure, whose words stay inside", async () => {
    const execute = () => {
      throw new Error("password hunter2");
    };
    const outcome = asKind(await outcomeOf(mine({ execute })), "failed");
    expect(outcome.error).toEqual({
      code: "TOOL_FAILED",
      message: "the tool ended with an error of its own",
      retryable: false,
    });
    expect(JSON.stringify(outcome)).not.toContain("hunter2");
  });

  it.each<[string, () => FunctionResult | Promise<FunctionResult>]>([
    ["at once", throwing],
    ["later", async () => throwing()],
  ])("what it means to say by a throw %s is told, without secrets", async (_, execute) => {
    await using scratch = openScratchGate({
      tools: [defineTool(mine({ execute }))],
      rules: [{ id: "any", effect: "allow", touch: { unknown: true } }],
      config: { secrets: [{ env: "TOOL_ERROR_SECRET" }] },
      variables: { TOOL_ERROR_SECRET: "correct horse" },
    });
    const outcome = asKind(await scratch.gate.call({ tool: "mine", input: {} }), "failed");
    const message = "no linter for cobol [REDACTED:TOOL_ERROR_SECRET]";
    expect(outcome.error).toEqual({ code: "TOOL_FAILED", message, retryable: true });
  });

  it("it gets its arguments and a signal", async () => {
    const given: unknown[] = [];
    const execute = (...args: unknown[]) => {
      given.push(...args);
      return "ran";
    };
    await outcomeOf(mine({ execute }));
    expect(given).toEqual([{ a: 1 }, expect.any(AbortSignal)]);
  });
});

describe("its definition", () => {
  it("says where it is from and where it runs", () =>
    expect(defineTool(mine()).definition).toEqual({
      name: "mine",
      description: "mine",
      source: "function",
      containment: "process",
      inputSchema: { type: "object" },
      timeoutMs: LIMITS.toolTimeoutMs.default,
    }));

  it.each<[string, Partial<FunctionTool>]>([
    ["a schema that can't be checked", { inputSchema: { type: "object", $ref: "#" } }],
    ["a timeout without end", { timeoutMs: Number.POSITIVE_INFINITY }],
  ])("with %s is a mistake that is thrown at once", (_, more) =>
    expect(() => defineTool(mine(more))).toThrow(TypeError),
  );

  it("of a name that is taken is a mistake too", () =>
    expect(() => openScratchGate({ tools: [defineTool(mine({ name: "read_file" }))] })).toThrow(
      "two tools are called `read_file`",
    ));
});

describe("what a function tool claims of itself", () => {
  const reads = () => [{ kind: "read", path: "/x" }] as [Touch];
  const allow: RuleSource = { id: "allow", effect: "allow", touch: { read: ["/**"], unknown: true } };
  const denies = (when: string): RuleSource => ({ id: "deny", effect: "deny", when });

  it.each<[string, Partial<FunctionTool>, string, string]>([
    ["harm tightens", { touches: reads, effects: { destructive: true } }, "effects.destructive", "RULE_DENY"],
    ["nothing leaves what the touches show", { touches: reads }, "effects.destructive", "completed"],
    ["safety is not believed", { effects: { destructive: false } }, "effects.destructive", "RULE_DENY"],
    [
      "safety is not believed of one that calls itself a vendor",
      { effects: { destructive: false }, trust: "vendor" },
      "effects.destructive",
      "RULE_DENY",
    ],
    ["no trust is the lowest", {}, 'trust == "inferred"', "RULE_DENY"],
    ["a user's word is one", { trust: "user" }, 'trust == "inferred"', "completed"],
    ["more than that is not its own to say", { trust: "org" }, 'trust in ["user", "inferred"]', "RULE_DENY"],
    ["nor that it is built in", { trust: "native" }, 'trust in ["user", "inferred"]', "RULE_DENY"],
    ["less than that is", { trust: "inferred" }, 'trust == "inferred"', "RULE_DENY"],
  ])("%s", async (_, claims, when, code) => {
    expect(codeOf(await outcomeOf(mine(claims), [allow, denies(when)]))).toBe(code);
  });

  it("is part of its definition, and can't be changed behind the gate's back", () => {
    const effects = { filesystem: { read: true } };
    const tool = defineTool(mine({ effects, trust: "user" }));
    effects.filesystem.read = false;
    expect(tool.definition).toMatchObject({ effects: { filesystem: { read: true } }, trust: "user" });
    expect(tool.definitionDigest).not.toBe(defineTool(mine()).definitionDigest);
  });
});
