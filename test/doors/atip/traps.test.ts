import { createHash } from "node:crypto";
import { chmodSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import {
  ArgumentValidationError,
  type AtipTool,
  buildCommandArray,
  executeCommand,
  filterSecrets,
  formatResult,
  handleToolResult,
  InsufficientTrustError,
  mapToCommand,
  parseToolCall,
  toOpenAI,
  UnknownCommandError,
  validateToolCall,
} from "../../../src/doors/atip/index.ts";
import { needs, withSharedData } from "../../support/parts.ts";
import { CAT, call, ECHO, openExecutor, option, program, SAFE, text } from "./some-tools.ts";

const random = (seed: string, length: number): string =>
  createHash("sha512").update(seed).digest("base64url").repeat(2).slice(0, length);
/** Put together, so that no scanner takes it for a real one. */
const TOKEN = `ghp_${random("t", 36).replaceAll(/[-_]/g, "x")}`;
const rejected = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => null,
    (error: unknown) => error,
  );

// What went wrong in the original program, one by one: facts, section 4.4.
needs("bwrap")("must not happen here", () => {
  it("1: strict mode's null for an optional parameter is rejected", async () => {
    const tool = program("echo", { arguments: [text("word")], options: [option("n", ["-n"], { type: "boolean" })] });
    expect(toOpenAI(tool)[0]?.function.parameters).toMatchObject({ required: ["word", "n"] });
    await using scratch = openExecutor({ tools: [tool] });
    expect((await scratch.executor.execute(call("echo", { word: "a", n: null }))).stdout).toBe("a\n");
  });

  it('2: ["a","b"] becomes "a,b"', () => {
    expect(buildCommandArray(mapToCommand("echo", [ECHO]), { words: ["a", "b"] })).toEqual(["echo", "a", "b"]);
  });

  it("3: two Gemini calls of one function share an id", () => {
    const part = { functionCall: { name: "echo", args: { words: ["a"] } } };
    const calls = parseToolCall("gemini", { candidates: [{ content: { parts: [part, part] } }] });
    expect(new Set(calls.map(({ id }) => id)).size).toBe(2);
  });

  it("4: bad JSON in OpenAI arguments escapes as a raw exception", async () => {
    const tool_calls = [{ id: "a", type: "function", function: { name: "echo", arguments: '{"words": [' } }];
    const calls = parseToolCall("openai", { choices: [{ message: { tool_calls } }] });
    await using scratch = openExecutor({ tools: [ECHO] });
    const { results } = await scratch.executor.executeBatch(calls);
    expect(results[0]?.error).toBeInstanceOf(ArgumentValidationError);
  });

  it("5 and 6: who ignores SIGTERM stays, and so do descendants", async () => {
    await using scratch = openExecutor({ tools: [ECHO] });
    const mark = `86400.${process.pid}${Date.now() % 100_000}`;
    scratch.put("stays.sh", `#!/bin/bash\ntrap '' TERM\nsetsid sleep ${mark} &\nsleep ${mark} &\nwait\nwait\n`);
    chmodSync(join(scratch.folder, "stays.sh"), 0o755);
    const result = await executeCommand(["./stays.sh"], { cwd: scratch.folder, timeout: 1000 });
    expect(result).toMatchObject({ timedOut: true, success: false });
    expect(commandLines().filter((line) => line.includes(mark))).toEqual([]);
  });

  it("7: a secret that is cut leaks its head", async () => {
    await using scratch = openExecutor({ tools: [CAT], execution: { maxOutputSize: 1024 } });
    for (const before of [990, 1000, 1010, 1020]) {
      scratch.put("a", `${"x".repeat(before)} ${TOKEN} ${"y".repeat(2000)}`);
      const { stdout, formatted } = await scratch.executor.execute(call("cat", { files: ["a"] }));
      expect(stdout + formatted).not.toContain("ghp_");
    }
  });

  it("8: a pattern without the global flag replaces once", () => {
    expect(filterSecrets("k1 k2", [/k\d/])).toBe("[REDACTED] [REDACTED]");
  });

  it("9: patterns of one's own are off when the built-in ones are", async () => {
    const output = { redactSecrets: false, redactPatterns: [/mine/] };
    await using scratch = openExecutor({ tools: [ECHO], output });
    expect((await scratch.executor.execute(call("echo", { words: ["mine"] }))).formatted).toBe(
      "[REDACTED:pattern]\n[Exit code: 0]",
    );
  });

  it("10: sk-ant-… and sk-proj-… are missed", () => {
    for (const key of [`sk-ant-api03-${random("a", 93)}AA`, `sk-proj-${random("b", 74)}T3BlbkFJ${random("c", 74)}`])
      expect(filterSecrets(`key ${key}.`)).not.toContain(key.slice(0, 30));
  });

  it("11: missing trust passes every minimum", async () => {
    const { trust: _, ...untrusted } = ECHO;
    await using scratch = openExecutor({ tools: [untrusted], policy: { minTrustLevel: "user" } });
    expect(await rejected(scratch.executor.execute(call("echo", { words: ["a"] })))).toBeInstanceOf(
      InsufficientTrustError,
    );
  });

  it("12: a parallel batch ignores what gets in each other's way", async () => {
    const effects = { ...SAFE, filesystem: { write: true, delete: false } };
    const cp = program("cp", { arguments: [text("from"), text("to")], effects });
    await using scratch = openExecutor({ tools: [cp] });
    scratch.put("0", "content");
    const calls = Array.from({ length: 6 }, (_, n) => ({
      id: `${n}`,
      name: "cp",
      arguments: { from: `${n}`, to: `${n + 1}` },
    }));
    const { failureCount } = await scratch.executor.executeBatch(calls, { parallel: true, maxConcurrency: 6 });
    expect([failureCount, readFileSync(join(scratch.folder, "6"), "utf8")]).toEqual([0, "content"]);
  });

  it("13: continueOnError false loses what has ended", async () => {
    await using scratch = openExecutor({ tools: [ECHO] });
    const calls = [call("echo", { words: ["a"] }), call("nope"), call("echo", { words: ["b"] })];
    const { results } = await scratch.executor.executeBatch(calls, { continueOnError: false });
    expect(results.map(({ result, error }) => result?.stdout ?? error?.code)).toEqual(["a\n", "UNKNOWN_COMMAND"]);
  });

  it("14: an unknown command is reported as a lack of trust", async () => {
    await using scratch = openExecutor({ tools: [ECHO], policy: { minTrustLevel: "native" } });
    expect(await rejected(scratch.executor.execute(call("ecco")))).toBeInstanceOf(UnknownCommandError);
  });

  it("15: a text is quoted as JSON twice", () => {
    expect(handleToolResult("openai", "c", 'a "b"\n')["content"]).toBe('a "b"\n');
    expect(JSON.stringify(handleToolResult("anthropic", "c", 'a "b"'))).toContain('"a \\"b\\""');
  });

  it("L10: cutting comes before redaction", () => {
    const result = {
      success: true,
      exitCode: 0,
      stdout: `${"x".repeat(50)} ${TOKEN}`,
      stderr: "",
      duration: 0,
      truncated: false,
    };
    const whole = {
      ...result,
      timedOut: false,
      command: [],
      toolCallId: "",
      toolName: "",
      limits: { timeout: 1, maxOutputSize: 1 },
    };
    for (let maxLength = 55; maxLength < 110; maxLength++)
      expect(formatResult(whole, { maxLength })).not.toContain("ghp_");
  });
});

withSharedData("atip")("must not happen here", (folder) => {
  it("16: odd types of real files crash", () => {
    const gh = JSON.parse(readFileSync(join(folder, "examples/gh.json"), "utf8")) as AtipTool;
    const browse = mapToCommand("gh_browse", [gh]);
    expect(browse.leaf.options.find(({ name }) => name === "no-browser")?.type).toBe("url");
    expect(validateToolCall({ arguments: { "no-browser": true } }, browse)).toMatchObject({
      valid: false,
      errors: [{ code: "INVALID_TYPE" }],
    });
    expect(buildCommandArray(browse, { branch: "main" })).toEqual(["gh", "browse", "--branch", "main"]);
  });
});

/** Of every process here, those in sandboxes too. */
function commandLines(): readonly string[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
      } catch {
        return "";
      }
    });
}
