import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { EXIT_MAPPING_SCHEMA, SCRIPT_TOOL_SCHEMA, SCRIPTS_FILE_SCHEMA } from "../../../src/config/scripts-schema.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../../src/domain/json.ts";
import { needs } from "../../support/parts.ts";
import { asKind, codeOf } from "../../support/scratch-gate.ts";
import { openScriptGate, param, printed } from "./script-gate.ts";

/** Every key that a `tools.yaml` may have, as `sandbox.timeout`. */
function keysOf(schema: JsonValue | undefined, at = ""): readonly string[] {
  if (!isJsonObject(schema)) return [];
  const inner = isJsonObject(schema["items"]) ? keysOf(schema["items"], `${at}[]`) : [];
  const properties = isJsonObject(schema["properties"]) ? schema["properties"] : {};
  const own = Object.entries(properties).flatMap(([name, value]) => {
    const key = at === "" ? name : `${at}.${name}`;
    return [key, ...keysOf(value, key)];
  });
  return [...own, ...inner];
}

/** Where what a key does is shown: the test file, and what one of its tests is called or says. */
const SHOWN: Readonly<Record<string, readonly [file: string, text: string]>> = {
  version: ["../../config/scripts-file.test.ts", "a version that there is not"],
  tools: ["../../config/scripts-file.test.ts", "an unknown key of the file"],
  "tool.name": ["script-sandbox.test.ts", 'name: "Tee"'],
  "tool.description": ["every-key.test.ts", "what a tool says of itself"],
  "tool.script": ["script-tool.test.ts", "runs its template with the values as they are"],
  "tool.parameters": ["every-key.test.ts", "keys of a parameter"],
  "tool.parameters[].name": ["../../config/scripts-file.test.ts", "a parameter without a name"],
  "tool.parameters[].type": ["every-key.test.ts", "keys of a parameter"],
  "tool.parameters[].required": ["every-key.test.ts", "keys of a parameter"],
  "tool.parameters[].description": ["every-key.test.ts", "keys of a parameter"],
  "tool.parameters[].default": ["every-key.test.ts", "a default is applied"],
  "tool.parameters[].enum": ["every-key.test.ts", "keys of a parameter"],
  "tool.parameters[].minimum": ["every-key.test.ts", "keys of a parameter"],
  "tool.parameters[].maximum": ["every-key.test.ts", "keys of a parameter"],
  "tool.parameters[].pattern": ["every-key.test.ts", "keys of a parameter"],
  "tool.parameters[].allow_dash": ["script-tool.test.ts", "allow_dash: true"],
  "tool.data_for": ["../../config/scripts-file.test.ts", "`data_for` is the author's word"],
  "tool.sandbox": ["script-sandbox.test.ts", "`sandbox` of a script tool"],
  "tool.sandbox.requires_confirmation": ["script-tool.test.ts", "asks whatever the rules allow"],
  "tool.sandbox.confirmation_message": ["script-tool.test.ts", "confirmation_message:"],
  "tool.sandbox.timeout": ["script-sandbox.test.ts", "`timeout` ends it"],
  "tool.sandbox.working_directory": ["script-sandbox.test.ts", "`working_directory` is its own below /tmp"],
  "tool.sandbox.use_temp_isolation": ["script-sandbox.test.ts", "`use_temp_isolation` gives each call a folder"],
  "tool.sandbox.environment_variables": ["script-sandbox.test.ts", "`environment_variables` are all that it gets"],
  "tool.sandbox.allowed_commands": ["script-sandbox.test.ts", "`allowed_commands` holds for what a value turns"],
  "tool.sandbox.allowed_paths": ["script-sandbox.test.ts", "`allowed_paths` are compared by component"],
  "tool.sandbox.resource_limits": ["script-sandbox.test.ts", "{ resource_limits: limit, timeout }"],
  ...Object.fromEntries(
    ["max_memory_mb", "max_cpu_time_seconds", "max_file_size_mb", "max_open_files", "max_processes"].flatMap((key) =>
      ["tool.sandbox", "tool.sandbox.resource_limits"].map((at) => [
        `${at}.${key}`,
        ["script-sandbox.test.ts", `"${key}",`] as const,
      ]),
    ),
  ),
  "tool.error_mapping": ["script-sandbox.test.ts", "makes an error of an exit code"],
  "exit.code": ["script-sandbox.test.ts", "code: -32002"],
  "exit.message": ["script-sandbox.test.ts", 'message: "Resource not found"'],
  "exit.detail": ["script-sandbox.test.ts", 'detail: "File not found: 1"'],
  "exit.retryable": ["repeating.test.ts", "the mapping says yes"],
  "tool.retry": ["repeating.test.ts", "tries again what failed"],
  "tool.retry.attempts": ["repeating.test.ts", "gives up after `attempts`"],
  "tool.retry.backoff": ["backoff.test.ts", '"backoff"'],
  "tool.retry.backoff_multiplier": ["backoff.test.ts", '"backoff_multiplier"'],
  "tool.retry.initial_delay": ["backoff.test.ts", '"initial_delay"'],
  "tool.retry.max_delay": ["backoff.test.ts", '"max_delay"'],
  "tool.circuit_breaker": ["repeating.test.ts", "opens after so many failures in its period"],
  "tool.circuit_breaker.failure_threshold": ["repeating.test.ts", "failure_threshold: 3"],
  "tool.circuit_breaker.recovery_timeout": ["repeating.test.ts", "lets one probe through"],
  "tool.circuit_breaker.monitoring_period": ["repeating.test.ts", "those two are no longer of this period"],
  "tool.caching": ["repeating.test.ts", "gives what an earlier call gave"],
  "tool.caching.enabled": ["repeating.test.ts", "caching: { enabled: false }"],
  "tool.caching.ttl": ["repeating.test.ts", "until it is too old"],
  "tool.caching.max_size": ["repeating.test.ts", "keeps at most `max_size`"],
  "tool.caching.key_template": ["repeating.test.ts", "ignored by the key"],
  "tool.effects": ["every-key.test.ts", "effects are told to models and to rules"],
  ...Object.fromEntries(
    [
      ...["filesystem", "filesystem.read", "filesystem.write", "filesystem.delete", "filesystem.paths"],
      ...["network", "subprocess", "reversible"],
    ].map((key) => [`tool.effects.${key}`, ["every-key.test.ts", "effects are told to models and to rules"] as const]),
  ),
  "tool.effects.idempotent": ["repeating.test.ts", "its effects say no"],
  "tool.effects.destructive": ["repeating.test.ts", "it destroys"],
  "tool.tags": ["every-key.test.ts", "what a tool says of itself"],
  "tool.examples": ["every-key.test.ts", "what a tool says of itself"],
  "tool.version": ["every-key.test.ts", "what a tool says of itself"],
  "tool.author": ["every-key.test.ts", "what a tool says of itself"],
  "tool.override": ["../../config/scripts-file.test.ts", "is no tool twice, unless the later one says so"],
};

describe("every key of a `tools.yaml`", () => {
  const keys = [
    ...keysOf(SCRIPTS_FILE_SCHEMA),
    ...keysOf(SCRIPT_TOOL_SCHEMA, "tool"),
    ...keysOf(EXIT_MAPPING_SCHEMA, "exit"),
  ];

  it("has a test that shows what it does, and no other has", () => {
    expect(keys.toSorted()).toEqual(Object.keys(SHOWN).toSorted());
  });

  it.each(Object.entries(SHOWN))("is shown where it is said to be: %s", (_, [file, text]) => {
    expect(readFileSync(fileURLToPath(new URL(file, import.meta.url)), "utf8")).toContain(text);
  });
});

needs("bwrap")("of a script tool", () => {
  it("keys of a parameter are held against each value", async () => {
    const parameters = [
      param("text", { pattern: "a+", description: "only that letter" }),
      param("number", { type: "number", minimum: 1, maximum: 3 }),
      param("flag", { type: "boolean" }),
      param("list", { type: "array", enum: [["a"], ["b", 1]] }),
      param("object", { type: "object" }),
      param("choice", { enum: ["x", "y"] }),
      param("needed", { required: true }),
    ];
    await using scratch = openScriptGate({ t: { script: "echo {{needed}}", parameters } });
    const [tool] = scratch.gate.tools();
    expect(tool?.inputSchema["properties"]).toMatchObject({ text: { description: "only that letter" } });
    const code = async (input: JsonObject) => codeOf(await scratch.gate.call({ tool: "t", input }));
    const wrong: readonly JsonObject[] = [
      { text: "baa" },
      { text: "aab" },
      { text: 1 },
      { number: 0 },
      { number: 4 },
      { number: "two" },
      { number: true },
      { flag: "perhaps" },
      { list: ["b"] },
      { list: "a" },
      { object: [] },
      { choice: "z" },
      { other: 1 },
    ];
    for (const input of wrong)
      expect([input, await code({ needed: "n", ...input })]).toEqual([input, "INVALID_ARGUMENTS"]);
    expect(await code({})).toBe("INVALID_ARGUMENTS");
    const right = { text: "aaa", number: 3, flag: true, list: ["b", 1], object: {}, choice: "y", needed: "n" };
    expect(await code(right)).toBe("completed");
    const all = await scratch.gate.call({ tool: "t", input: { text: "b", number: 9, choice: "z" } });
    expect(asKind(all, "refused").refusal.errors).toHaveLength(4);
  });

  it("a default is applied, and is what is judged", async () => {
    await using scratch = openScriptGate({
      t: {
        script: "printf '<%s>' {{a}} {{b}}",
        parameters: [param("a", { default: "x y" }), param("b", { type: "number", default: 3 })],
      },
    });
    const output = async (input: JsonObject) =>
      printed(asKind(await scratch.gate.call({ tool: "t", input }), "completed").content);
    expect(await output({})).toBe("<x y><3>");
    expect(await output({ a: null, b: 0 })).toBe("<x y><0>");
    const { touches } = await scratch.gate.explain({ tool: "t", input: {} });
    expect(JSON.stringify(touches)).toContain("x y");
  });

  it("what a tool says of itself is told to those who choose", async () => {
    const about = { tags: ["http"], examples: ["GET x"], version: "2.1.0", author: "ann" };
    await using scratch = openScriptGate({ t: { name: "Tee", description: "Does it.", script: "echo", ...about } });
    expect(scratch.gate.tools()).toMatchObject([
      { name: "t", description: "Does it.", about: { title: "Tee", ...about } },
    ]);
    const changed = { ...about, version: "2.1.1" };
    await using other = openScriptGate({ t: { name: "Tee", description: "Does it.", script: "echo", ...changed } });
    const digestOf = async (one: typeof scratch) => (await one.gate.explain({ tool: "t", input: {} })).digest;
    expect(await digestOf(other)).not.toBe(await digestOf(scratch));
  });

  it("effects are told to models and to rules, and only make them stricter", async () => {
    const filesystem = { read: true, write: false, delete: false, paths: ["docs"] };
    const effects = { filesystem, network: true, subprocess: false, reversible: false, idempotent: true };
    const tools = {
      t: { script: "echo", effects },
      gone: { script: "echo", effects: { destructive: true } },
      plain: { script: "echo", effects: { destructive: false } },
    };
    await using scratch = openScriptGate(tools, {
      rules: [
        { id: "all", effect: "allow" },
        { id: "destroys", effect: "deny", when: "effects.destructive" },
      ],
    });
    const [tool] = scratch.gate.tools();
    expect(tool?.effects).toMatchObject(effects);
    const told = scratch.gate.tools("anthropic").map(({ description }) => description);
    expect(told).toEqual([
      expect.stringContaining("NOT REVERSIBLE"),
      expect.stringContaining("DESTRUCTIVE"),
      expect.not.stringContaining("["),
    ]);
    // That a tool calls itself harmless makes no rule milder.
    const ruleOf = async (name: string) => (await scratch.gate.explain({ tool: name, input: {} })).ruleId;
    expect([await ruleOf("gone"), await ruleOf("plain")]).toEqual(["destroys", "destroys"]);
  });
});
