import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  combineStreams,
  type ExecutionResult,
  filterSecrets,
  formatForProvider,
  formatResult,
  handleToolResult,
  type Provider,
  truncateOutput,
} from "../../../src/doors/atip/index.ts";
import { FORMAT_NAMES } from "../../../src/formats/formats.ts";

const RESULT: ExecutionResult = {
  success: true,
  exitCode: 0,
  stdout: "out\n",
  stderr: "err\n",
  duration: 1,
  truncated: false,
  timedOut: false,
  command: ["x"],
  toolCallId: "c1",
  toolName: "x",
  limits: { timeout: 30_000, maxOutputSize: 1024 * 1024 },
};
const FAILED = { ...RESULT, success: false, exitCode: 1 };
/** Put together, so that no scanner takes it for a real one. */
const TOKEN = `ghp_${"a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8".slice(0, 36)}`;

describe("formatResult", () => {
  it.each<[string, ExecutionResult, object, string]>([
    ["success", RESULT, {}, "out\n[Exit code: 0]"],
    ["failure: errors first", FAILED, {}, "err\nout\n[Exit code: 1]"],
    ["failure without errors", FAILED, { includeStderr: false }, "out\n[Exit code: 1]"],
    ["without the exit code", RESULT, { includeExitCode: false }, "out"],
    ["nothing printed", { ...RESULT, stdout: "" }, {}, "[Exit code: 0]"],
    ["timeout", { ...RESULT, success: false, exitCode: null, timedOut: true }, {}, "out\n[TIMEOUT after 30s]"],
    ["cut", { ...RESULT, truncated: true }, {}, "out\n[TRUNCATED - output exceeded 1MB]\n[Exit code: 0]"],
    ["cut by length", { ...RESULT, stdout: "o".repeat(100) }, { maxLength: 20 }, `${"o".repeat(8)}\n[TRUNCATED]`],
    ["a secret", { ...RESULT, stdout: `token ${TOKEN}` }, {}, "token [REDACTED:github-token]\n[Exit code: 0]"],
    [
      "a pattern of one's own",
      { ...RESULT, stdout: "a1 a2" },
      { redactPatterns: [/a\d/] },
      "[REDACTED] [REDACTED]\n[Exit code: 0]",
    ],
  ])("%s", (_, result, options, expected) => {
    expect(formatResult(result, options).replace(/\[REDACTED:[a-z-]+\]/, "[REDACTED:github-token]")).toBe(expected);
  });

  it("gives a formatter what is redacted", () => {
    const formatter = ({ stdout, stderr }: ExecutionResult) => stdout + stderr;
    expect(formatResult({ ...RESULT, stdout: TOKEN, stderr: TOKEN }, { formatter })).not.toContain("ghp_");
  });

  it("redacts before it cuts: no head of a secret is left", () => {
    const stdout = `${"x".repeat(70)} ${TOKEN}`;
    for (let maxLength = 60; maxLength < 130; maxLength++)
      expect(formatResult({ ...RESULT, stdout }, { maxLength })).not.toMatch(/ghp_/);
  });
});

/** As keys are: of no pattern, and the same in each run. */
const random = (length: number): string =>
  Array.from({ length: 4 }, (_, n) => createHash("sha512").update(`${length} ${n}`).digest("base64url"))
    .join("")
    .slice(0, length);

describe("filterSecrets", () => {
  it("takes patterns of one's own also where its own are off", () => {
    expect(filterSecrets(`${TOKEN} mine-1 mine-2`, { builtin: false, patterns: [/mine-\d/] })).toBe(
      `${TOKEN} [REDACTED] [REDACTED]`,
    );
    expect(filterSecrets("mine-1 mine-2", ["mine-[0-9]"])).toBe("[REDACTED] [REDACTED]");
    for (const pattern of [/MINE-\d/iy, /mine-\d/gy, /mine-\d/g])
      for (const _ of [1, 2]) expect(filterSecrets("a mine-1 mine-2", [pattern])).toBe("a [REDACTED] [REDACTED]");
  });

  it.each<[string, string]>([
    ["an Anthropic key", `sk-ant-api03-${random(93)}AA`],
    ["an OpenAI project key", `sk-proj-${random(74)}T3BlbkFJ${random(74)}`],
    ["an AWS key id", `AKIA${"ABCDEFGH23456723".slice(0, 16)}`],
  ])("knows %s", (_, secret) => expect(filterSecrets(`key: ${secret} end`)).not.toContain(secret));
});

describe("truncateOutput", () => {
  it("is never longer than it may be, and cuts no character in two", () => {
    void fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 200 }), fc.nat(150), (text, max) => {
        const cut = truncateOutput(text.toWellFormed(), max);
        expect(cut.length).toBeLessThanOrEqual(Math.max(max, 0));
        expect(cut.isWellFormed()).toBe(true);
      }),
    );
  });

  it("leaves alone what fits", () => {
    expect(truncateOutput("a".repeat(12), 12)).toBe("a".repeat(12));
    expect(truncateOutput("a".repeat(13), 12)).toBe("\n[TRUNCATED]");
  });
});

it("combineStreams puts each on lines of its own", () => {
  expect(combineStreams("a\n", "b")).toBe("a\nb");
  expect(combineStreams("a", "b\n", { failed: true })).toBe("b\na");
  expect(combineStreams("", "b")).toBe("b");
});

describe("for providers", () => {
  it.each(FORMAT_NAMES as Provider[])("%s: the answer to a call", (provider) => {
    const good = JSON.stringify(formatForProvider(provider, { id: "c1", name: "x" }, RESULT));
    expect(good).toContain("out\\n[Exit code: 0]");
    const bad = JSON.stringify(formatForProvider(provider, { id: "c1", name: "x" }, FAILED));
    expect(bad).toContain("[Exit code: 1]");
    expect(bad).not.toBe(good);
  });

  it("sends a text as it is, and not in quotes of JSON", () => {
    expect(handleToolResult("openai", "c1", 'say "hi"')).toEqual({
      role: "tool",
      tool_call_id: "c1",
      content: 'say "hi"',
    });
    expect(handleToolResult("openai", "c1", { a: 1 })).toMatchObject({ content: '{"a":1}' });
    expect(JSON.stringify(handleToolResult("anthropic", "c1", new Error("no")))).toContain('"is_error":true');
    expect(handleToolResult("openai", "c1", undefined)).toMatchObject({ tool_call_id: "c1" });
  });
});
