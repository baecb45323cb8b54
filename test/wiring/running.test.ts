import { chmodSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openBubblewrap } from "../../src/sandbox/bubblewrap.ts";
import { openUncontained } from "../../src/sandbox/uncontained.ts";
import { needs } from "../support/parts.ts";
import { openRunningGate, printed, RUN_ALL, RUN_ONLY } from "../support/running-gate.ts";
import { sampleTool } from "../support/sample-calls.ts";
import { asKind, codeOf } from "../support/scratch-gate.ts";

describe("without a sandbox", () => {
  it.each(["run_command", "execute_command", "git"])(
    "%s is planned and refused, and nothing runs (F34)",
    async (tool) => {
      const sandbox = openBubblewrap({ searchPath: [], workspace: "/w" });
      await using scratch = openRunningGate(RUN_ALL, { inner: { sandbox } });
      const input = tool === "git" ? { operation: "STATUS" } : { command: "touch" };
      expect(codeOf(await scratch.gate.call({ tool, input }))).toBe("SANDBOX_UNAVAILABLE");
      expect((await scratch.gate.explain({ tool, input })).decision).toBe("allow");
      expect(readdirSync(scratch.workspace)).toEqual([]);
    },
  );

  it("`none` runs them, and every outcome and entry says so", async () => {
    const sandbox = openUncontained({ searchPath: ["/usr/bin", "/bin"] });
    await using scratch = openRunningGate(RUN_ALL, { inner: { sandbox }, config: { sandbox: { minimum: "none" } } });
    const outcome = asKind(await scratch.run("echo hi"), "completed");
    expect([printed(outcome), outcome.sandbox?.backend]).toEqual(["hi\n", "none"]);
    expect(scratch.entries(outcome.callId).at(-1)?.body).toMatchObject({ sandbox: "none" });
    expect(asKind(await scratch.run("exit 3"), "failed").error.exitCode).toBe(3);
    expect(asKind(await scratch.run("echo x; sleep 60", { timeoutMs: 500 }), "failed").error.code).toBe("TIMEOUT");
  });

  it.each([
    ["run_*", { contained: ["run_*"] }, [], "builtin:sandbox"],
    ["another tool", { contained: ["git"] }, [], "completed"],
    ["a rule", {}, [{ id: "minimum", effect: "deny", sandbox: ["none"], touch: { exec: ["touch **"] } }], "minimum"],
    ["another", {}, [{ id: "minimum", effect: "deny", sandbox: ["none"], touch: { exec: ["cat"] } }], "completed"],
  ] as const)("of %s more may be wanted than of all", async (_, wanted, more, expected) => {
    const sandbox = openUncontained({ searchPath: ["/usr/bin", "/bin"] });
    const config = { sandbox: { minimum: "none", ...wanted } };
    await using scratch = openRunningGate([...RUN_ALL, ...more], { inner: { sandbox }, config });
    const outcome = await scratch.run("touch made");
    expect(outcome.kind === "refused" ? outcome.refusal.ruleId : outcome.kind).toBe(expected);
    expect(readdirSync(scratch.workspace)).toEqual(expected === "completed" ? ["made"] : []);
  });
});

it.each([
  [{ stdin: "required" }, "INTERACTIVE_BLOCKED"],
  [{ stdin: "password" }, "INTERACTIVE_BLOCKED"],
  [{ prompts: true }, "INTERACTIVE_BLOCKED"],
  [{ stdin: "optional", prompts: false }, "completed"],
] as const)("a tool whose effects are %j: %s", async (interactive, expected) => {
  const tool = sampleTool();
  const talking = { ...tool, definition: { ...tool.definition, effects: { interactive } } };
  const rules = [{ id: "all", effect: "allow", touch: { read: ["/**"] } }] as const;
  await using scratch = openRunningGate(rules, { tools: [talking] });
  expect(codeOf(await scratch.gate.call({ tool: "sample", input: {} }))).toBe(expected);
});

needs("bwrap", "prlimit")("programs that look through the whole workspace", () => {
  it.each(["read", "write"] as const)("don't fail over the gate's own state, granted to %s it", async (access) => {
    const rules = access === "read" ? RUN_ONLY : RUN_ALL;
    await using scratch = openRunningGate(rules, { config: { state: "ws/.toolgate" } });
    scratch.put("src/a.txt", "needle\n");
    for (const command of [
      "grep -rl needle .",
      "find . -name a.txt",
      "cp -r . /tmp/a && cd /tmp/a && find . -name a.txt",
      "du -s .",
    ]) {
      const outcome = asKind(await scratch.run(command), "completed");
      expect([command, printed(outcome)]).toEqual([command, expect.stringMatching(/^(?:\.\/src\/a\.txt|\d+\t\.)\n$/)]);
    }
    const looked = await scratch.run("ls -A .toolgate; cat .toolgate/journal.db; touch .toolgate/x");
    expect(printed(looked)).toMatch(/^\[stderr\]\n.*No such file.*\n.*Read-only file system\n$/);
  });
});

needs("bwrap", "prlimit")("programs that can't be started (F08)", () => {
  it.each([
    ["no such program", { command: "nosuch-program" }, "FILE_NOT_FOUND"],
    ["no such path", { command: "./nosuch" }, "FILE_NOT_FOUND"],
    ["not executable", { command: "./plain.txt" }, "FILE_NOT_FOUND"],
    ["a folder", { command: "./folder" }, "FILE_NOT_FOUND"],
    ["no interpreter", { command: "./no-interpreter" }, "SPAWN_FAILED"],
    ["no shebang", { command: "./no-shebang" }, "SPAWN_FAILED"],
    ["too long", { command: "echo", args: Array.from({ length: 100 }, () => "x".repeat(32_000)) }, "SHELL_TOO_COMPLEX"],
    ["a NUL", { command: "echo", args: ["a\0b"] }, "INVALID_ARGUMENTS"],
  ])("%s", async (_, input, code) => {
    await using scratch = openRunningGate();
    scratch.put("plain.txt", "x");
    scratch.put("folder/x");
    chmodSync(scratch.put("no-interpreter", "#!/nosuch/interpreter\n"), 0o755);
    writeFileSync(join(scratch.workspace, "no-shebang"), "touch planted\n", { mode: 0o755 });
    expect(codeOf(await scratch.gate.call({ tool: "execute_command", input }))).toBe(code);
    expect(readdirSync(scratch.workspace)).not.toContain("planted");
  });

  it("argv is argv: no shell reads it", async () => {
    await using scratch = openRunningGate();
    const args = ["$(touch planted)", "a b", "; touch planted", "*", "--", "-n"];
    const outcome = await scratch.gate.call({
      tool: "execute_command",
      input: { command: "printf", args: ["%s\\n", ...args] },
    });
    expect(printed(outcome)).toBe(`${args.join("\n")}\n`);
    expect(readdirSync(scratch.workspace)).toEqual([]);
  });
});
