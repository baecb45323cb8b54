import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  AtipExecuteError,
  type AtipTool,
  buildCommandArray,
  checkPolicy,
  compileTools,
  createResultFilter,
  createValidator,
  generateSafetyPrompt,
  getMetadata,
  mapCommand,
  mapToCommand,
  mergeEffects,
  type Provider,
  parseToolCall,
  toAnthropic,
  toGemini,
  toOpenAI,
  UnknownCommandError,
  validateToolCall,
} from "../../../src/doors/atip/index.ts";
import { TOOL_RULES } from "../../formats/provider-rules.ts";
import { withSharedData } from "../../support/parts.ts";
import { call, openExecutor, option, program, SAFE, text } from "./some-tools.ts";

const GROUPED: AtipTool = {
  ...program("my_tool", {}),
  commands: {
    a_b: {
      description: "Does a thing",
      effects: SAFE,
      arguments: [text("what")],
      options: [option("no-wait", ["--no-wait"], { type: "boolean" })],
    },
    wipe: { description: "Wipes it all", effects: { destructive: true, reversible: false } },
  },
};

describe("mapping", () => {
  it("finds a command by its name, with separators inside", () => {
    expect(mapToCommand("my_tool_a_b", [GROUPED])).toMatchObject({
      toolName: "my_tool",
      commandPath: ["a_b"],
      baseCommand: ["my_tool", "a_b"],
      effects: SAFE,
    });
    expect(mapCommand({ name: "my_tool.a_b" }, [GROUPED], { separator: "." }).commandPath).toEqual(["a_b"]);
    expect(() => mapToCommand("my_tool_a", [GROUPED])).toThrow(UnknownCommandError);
    expect(() => mapToCommand("__proto__", [GROUPED])).toThrow(UnknownCommandError);
  });

  it("finds a command by the name that a provider was shown", () => {
    const long = {
      ...program("t", {}),
      commands: { ["x".repeat(64)]: { description: "Does a thing", effects: SAFE } },
    };
    const [shown] = toAnthropic(long);
    expect(shown?.name.length).toBeLessThanOrEqual(64);
    expect(mapToCommand(shown?.name ?? "", [long]).commandPath).toEqual(["x".repeat(64)]);
  });

  it("knows the metadata", () => {
    expect(getMetadata("my_tool_wipe", [GROUPED])).toMatchObject({ name: "my_tool" });
    expect(getMetadata("my_tool", [GROUPED])).toMatchObject({ name: "my_tool" });
    expect(getMetadata("other", [GROUPED])).toBeNull();
  });
});

describe("validation and command lines", () => {
  const mapping = mapToCommand("my_tool_a_b", [GROUPED]);

  it("coerces, warns and leaves out", () => {
    expect(validateToolCall({ arguments: { what: "x", "no-wait": "true", evil: "--x" } }, mapping)).toEqual({
      valid: true,
      errors: [],
      warnings: [{ code: "EXTRA_PARAMETER", parameter: "evil", message: expect.any(String) }],
      arguments: { what: "x", "no-wait": true },
    });
    expect(validateToolCall({ arguments: [] as never }, mapping)).toMatchObject({ valid: false });
  });

  it("builds the words, or says why not", () => {
    expect(buildCommandArray(mapping, { what: "x", "no-wait": true })).toEqual(["my_tool", "a_b", "--no-wait", "x"]);
    expect(() => buildCommandArray(mapping, { what: "-x" })).toThrow("option");
    expect(() => buildCommandArray(mapping, {})).toThrow("what");
  });

  it("checks the policy without a call", () => {
    expect(checkPolicy(null, mapping)).toMatchObject({ allowed: true, requiresConfirmation: false });
    const wipe = mapToCommand("my_tool_wipe", [GROUPED]);
    expect(checkPolicy(null, wipe, { allowNonReversible: false })).toMatchObject({
      allowed: false,
      requiresConfirmation: true,
      reasons: ["destructive", "non-reversible"],
    });
    expect(checkPolicy(null, wipe, { allowNetwork: false })).toMatchObject({ requiresConfirmation: false });
  });

  it("merges effects so that the worse counts", () => {
    expect(mergeEffects({ reversible: true, network: false }, { reversible: false, network: true })).toMatchObject({
      reversible: false,
      network: true,
    });
    expect(mergeEffects({ reversible: true }, {})).not.toHaveProperty("reversible");
    expect(mergeEffects({ reversible: true }, undefined)).toEqual({ reversible: true });
    expect(mergeEffects({ cost: { estimate: "low" } }, { cost: { estimate: "high" } })).toMatchObject({
      cost: { estimate: "high" },
    });
  });
});

describe("tools for providers", () => {
  it("one for each command, with what a model should fear", () => {
    expect(toAnthropic(GROUPED).map(({ name }) => name)).toEqual(["my_tool_a_b", "my_tool_wipe"]);
    expect(toAnthropic(GROUPED)[1]?.description).toBe("Wipes it all [⚠️ DESTRUCTIVE | NOT REVERSIBLE]");
    expect(toGemini(GROUPED)).toHaveLength(2);
    expect(toOpenAI(GROUPED)[0]).toMatchObject({ type: "function", function: { strict: true } });
    expect(toOpenAI(GROUPED, { strict: false })[0]?.function).toMatchObject({
      strict: false,
      parameters: { required: ["what"] },
    });
  });

  it("names arguments as the provider takes them, and values once, strict or not", () => {
    const option = {
      name: "größe x",
      flags: ["--size"],
      type: "enum",
      description: "d",
      enum: ["a", "b", "a"],
    } as const;
    const tool = program("x", { options: [option] });
    for (const strict of [true, false]) {
      const { properties } = toOpenAI(tool, { strict })[0]?.function.parameters ?? {};
      for (const [name, part] of Object.entries(properties ?? {})) {
        expect(name).toMatch(/^[A-Za-z0-9_.-]{1,64}$/);
        const { enum: values } = part as unknown as { readonly enum: readonly unknown[] };
        expect(values.filter((value) => value !== null)).toEqual(["a", "b"]);
      }
    }
  });

  it("tells a model which tools do harm", () => {
    expect(generateSafetyPrompt([GROUPED]).split("\n").slice(1)).toEqual([
      "- my_tool_wipe [⚠️ DESTRUCTIVE | NOT REVERSIBLE]",
    ]);
    expect(generateSafetyPrompt([program("x", {})])).toBe("");
  });

  it("two tools of one name are a mistake", () =>
    expect(() => compileTools([GROUPED, GROUPED], "openai")).toThrow(AtipExecuteError));

  it("filters results", () =>
    expect(createResultFilter({ builtin: false, patterns: [/x/] })("axbx")).toBe("a[REDACTED]b[REDACTED]"));
});

withSharedData("atip")("gh through this API", (folder) => {
  const gh = JSON.parse(readFileSync(join(folder, "examples/gh.json"), "utf8")) as AtipTool;

  it.each(["anthropic", "openai", "openai-responses", "gemini", "mistral", "bedrock", "mcp"] as const)(
    "%s",
    (provider) => {
      expect(TOOL_RULES[provider](compileTools([gh], provider))).toEqual([]);
    },
  );

  it("a parameter that Gemini was shown under another name is the command's own again", () => {
    const declared = toGemini(gh).find(({ name }) => name === "gh_browse")?.parametersJsonSchema.properties ?? {};
    const shown = Object.keys(declared).find((name) => name.includes("browser")) ?? "";
    expect(shown).not.toBe("no-browser");
    const args = { [shown]: "https://example.com/" };
    const response = { candidates: [{ content: { parts: [{ functionCall: { name: "gh_browse", args } }] } }] };
    const [made] = parseToolCall("gemini", response);
    const { valid, warnings, arguments: own } = createValidator([gh]).validate(made as never);
    expect([valid, warnings, own]).toEqual([true, [], { "no-browser": "https://example.com/" }]);
  });
});

describe("parseToolCall", () => {
  it("reads every call of a response", () => {
    const openai = {
      choices: [
        {
          message: {
            tool_calls: [
              { id: "a", type: "function", function: { name: "x", arguments: '{"p":1}' } },
              { id: "b", type: "function", function: { name: "y", arguments: "{nope" } },
              { id: "c", type: "function", function: { name: "z", arguments: "[]" } },
            ],
          },
        },
      ],
    };
    const calls = parseToolCall("openai", openai);
    expect(calls.map(({ id, name }) => [id, name])).toEqual([
      ["a", "x"],
      ["b", "y"],
      ["c", "z"],
    ]);
    expect(calls[0]).toEqual({ id: "a", name: "x", arguments: { p: 1 }, provider: "openai" });
    expect(calls[1]?.problem).toContain("not JSON");
    expect(calls[2]?.problem).toContain("object");
  });

  it("throws one of its own errors for what is no response", () => {
    expect(() => parseToolCall("openai", { nope: 1 })).toThrow(AtipExecuteError);
    expect(() => parseToolCall("nobody" as Provider, {})).toThrow("no provider");
  });
});

it("an executor maps, checks and validates without running", async () => {
  await using scratch = openExecutor({ tools: [GROUPED] });
  const { executor } = scratch;
  expect(executor.mapCommand(call("my_tool_wipe")).baseCommand).toEqual(["my_tool", "wipe"]);
  expect(() => executor.mapCommand(call("nope"))).toThrow(UnknownCommandError);
  expect(executor.checkPolicy(call("my_tool_wipe"))).toMatchObject({ requiresConfirmation: true });
  expect(executor.validate(call("my_tool_a_b", {}))).toMatchObject({
    valid: false,
    errors: [{ code: "MISSING_REQUIRED" }],
  });
  expect(executor.validate(call("nope"))).toMatchObject({ errors: [{ code: "UNKNOWN_COMMAND" }] });
  expect(executor.getMetadata("my_tool_wipe")).toMatchObject({ name: "my_tool" });
});
