// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is bash, and no JavaScript

import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../src/domain/json.ts";
import type { Outcome } from "../../../src/domain/outcome.ts";
import type { RuleSource } from "../../../src/rules/rule.ts";
import { handClock } from "../../support/hand-clock.ts";
import { needs } from "../../support/parts.ts";
import { asKind, codeOf, type ScratchGate } from "../../support/scratch-gate.ts";
import { openScriptGate, param, printed } from "./script-gate.ts";

const WRITES: readonly RuleSource[] = [
  { id: "scripts", effect: "allow", grant: { write: ["./**"], read: ["./**"] }, touch: { exec: ["**"] } },
  { id: "files", effect: "allow", touch: { read: ["/**"], write: ["/**"] } },
  { id: "dynamic", effect: "allow", dynamic: true, touch: { exec: ["**"], unknown: true } } as RuleSource,
];

const run = (scratch: ScratchGate, input: JsonObject = {}): Promise<Outcome> => scratch.gate.call({ tool: "t", input });

async function outputOf(script: string, sandbox: JsonObject, input: JsonObject = {}): Promise<string> {
  await using scratch = openScriptGate({ t: { script, sandbox, parameters: [param("a")] } });
  return printed(asKind(await run(scratch, input), "completed").content);
}

needs("bwrap")("`sandbox` of a script tool", () => {
  it("`timeout` ends it, keeps what it had said, and says what to do", async () => {
    await using scratch = openScriptGate({ t: { script: "echo begun; sleep 600", sandbox: { timeout: 1 } } });
    const clock = handClock();
    const begun = Promise.withResolvers<void>();
    const onProgress = (): void => begun.resolve();
    const outcome = scratch.again({ inner: { clock } }).call({ tool: "t", input: {} }, { onProgress });
    await begun.promise;
    clock.move(1000);
    const { error, content } = asKind(await outcome, "failed");
    expect(error).toMatchObject({ code: "TIMEOUT", retryable: false, mapped: { code: -32603, retryable: false } });
    expect(error.mapped?.detail).toContain("`timeout`");
    expect(printed(content)).toBe("begun\n");
  });

  it("`working_directory` is its own below /tmp, or one of this machine", async () => {
    expect(await outputOf("pwd", { working_directory: "/tmp/some/where", use_temp_isolation: false })).toBe(
      "/tmp/some/where\n",
    );
    await using scratch = openScriptGate({ t: { script: "pwd; ls", sandbox: { working_directory: "sub" } } });
    mkdirSync(join(scratch.workspace, "sub"));
    scratch.put("sub/file");
    expect(printed(asKind(await run(scratch), "completed").content)).toBe(`${scratch.workspace}/sub\nfile\n`);
    await using missing = openScriptGate({ t: { script: "pwd", sandbox: { working_directory: "gone" } } });
    expect(codeOf(await run(missing))).toBe("NOT_DIRECTORY");
  });

  it("`use_temp_isolation` gives each call a folder of its own, of which nothing is left", async () => {
    const script =
      'pwd; stat -c %a .; echo x > file; ls; [ "$TMPDIR" = "$PWD" ] && [ "$TOOL_WORKING_DIR" = "$PWD" ] && echo same';
    await using scratch = openScriptGate({ t: { script, sandbox: { use_temp_isolation: true } } });
    const first = printed(asKind(await run(scratch), "completed").content);
    const second = printed(asKind(await run(scratch), "completed").content);
    expect(first).toMatch(/^\/tmp\/tool_t_[0-9a-f]{8}\n700\nfile\nsame\n$/);
    expect(second.split("\n")[0]).not.toBe(first.split("\n")[0]);
    expect(readdirSync("/tmp").filter((name) => name.startsWith("tool_t_"))).toEqual([]);
  });

  it("`environment_variables` are all that it gets beside its own, and secrets are shown to nobody", async () => {
    const script =
      'echo "$MODE $LEFT ${API_KEY#sk} $FROM_ENV $FROM_FILE $TOOL_ID $TOOL_NAME"; [ -n "$SESSION_ID$TASK_ID$USER_ID$EXECUTION_TIMESTAMP" ] && echo all; env | cut -d= -f1 | sort | tr "\\n" " "';
    await using scratch = openScriptGate(
      {
        t: {
          name: "Tee",
          script,
          sandbox: {
            environment_variables: {
              MODE: "fast",
              API_KEY: "sk-inline-0123456789",
              FROM_ENV: "${secret:MY_TOKEN}",
              FROM_FILE: { file: "key.txt" },
            },
          },
        },
      },
      { variables: { MY_TOKEN: "token-from-the-environment" }, files: { "key.txt": "value-from-a-file\n" } },
    );
    const text = printed(asKind(await run(scratch), "completed").content);
    expect(text).toContain("fast  -inline-0123456789 [REDACTED:MY_TOKEN] [REDACTED:FROM_FILE] t Tee\nall\n");
    expect(text).not.toContain("__toolgate");
    expect(JSON.stringify(scratch.entries())).not.toMatch(/sk-inline|token-from|value-from/);
    const shown = await scratch.gate.explain({ tool: "t", input: {} });
    expect(JSON.stringify(shown)).not.toMatch(/sk-inline|token-from|value-from/);
  });

  it("`allowed_commands` holds for what a value turns a command into as well", async () => {
    await using scratch = openScriptGate({
      t: {
        script: "timeout 5 cat {{a}}; echo done",
        parameters: [param("a")],
        sandbox: { allowed_commands: ["cat", "timeout"] },
      },
    });
    expect(codeOf(await run(scratch, { a: "/dev/null" }))).toBe("completed");
    await using dynamic = openScriptGate(
      { t: { script: 'c=$(echo id)\n"$c"\ncat /dev/null', sandbox: { allowed_commands: ["cat"] } } },
      { rules: WRITES },
    );
    expect(codeOf(await run(dynamic))).toBe("COMMAND_NOT_ALLOWED");
  });

  it("`allowed_paths` are compared by component, for names in the script and for what a program opens", async () => {
    const tools = {
      t: {
        script: 'f={{a}}; cat < {{a}} && cat "$f"',
        parameters: [param("a")],
        sandbox: { working_directory: ".", allowed_paths: ["good"] },
      },
      sneaky: {
        script: 'f={{a}}; cat "./$f"',
        parameters: [param("a")],
        sandbox: { working_directory: ".", allowed_paths: ["good"] },
      },
    };
    await using scratch = openScriptGate(tools, { rules: WRITES });
    scratch.put("good/a", "inside");
    scratch.put("good-evil/a", "outside");
    scratch.put("b", "outside");
    expect(printed(asKind(await run(scratch, { a: "good/a" }), "completed").content)).toBe("insideinside");
    for (const a of ["good-evil/a", "b", "good/../b", "/etc/passwd"])
      expect([a, codeOf(await run(scratch, { a }))]).toEqual([a, "PATH_NOT_ALLOWED"]);
    const sneaky = (a: string) => scratch.gate.call({ tool: "sneaky", input: { a } });
    expect(codeOf(await sneaky("good/a"))).toBe("completed");
    for (const a of ["good-evil/a", "b"]) {
      const { error, content } = asKind(await sneaky(a), "failed");
      expect(error.code).toBe("TOOL_FAILED");
      expect(printed(content)).not.toContain("outside");
    }
  });

  describe("limits", () => {
    const cases: readonly (readonly [string, JsonObject, string, string])[] = [
      [
        "max_memory_mb",
        { max_memory_mb: 32 },
        "x=$(head -c 80000000 /dev/zero | tr '\\0' x); echo \"${#x}\"",
        "TOOL_FAILED|LIMIT_MEMORY",
      ],
      ["max_cpu_time_seconds", { max_cpu_time_seconds: 1, timeout: 60 }, "while :; do :; done", "LIMIT_CPU"],
      ["max_file_size_mb", { max_file_size_mb: 1 }, "head -c 3000000 /dev/zero > f", "LIMIT_FSIZE"],
      [
        "max_open_files",
        { max_open_files: 10 },
        "for i in {1..30}; do exec {fd}< /dev/null || exit 9; done 2>&1",
        "TOOL_FAILED",
      ],
      ["max_processes", { max_processes: 1 }, "exec timeout 5 true", "LIMIT_PROCESSES|TOOL_FAILED"],
    ];
    for (const [key, sandbox, script, code] of cases) {
      it(`\`${key}\` is applied, in \`sandbox\` and in \`resource_limits\``, async () => {
        const { timeout = 30, ...limit } = sandbox;
        for (const given of [
          { ...limit, timeout },
          { resource_limits: limit, timeout },
        ]) {
          await using scratch = openScriptGate({ t: { script, sandbox: given as JsonObject } }, { rules: WRITES });
          expect(codeOf(await run(scratch))).toMatch(new RegExp(`^(?:${code})$`));
        }
        await using free = openScriptGate(
          {
            t: {
              script: script.replace("while :; do :; done", "for ((i=0;i<10;i++)); do :; done"),
              sandbox: { max_memory_mb: 1024, max_open_files: 200, max_processes: 20 },
            },
          },
          { rules: WRITES },
        );
        expect(codeOf(await run(free))).toBe("completed");
      });
    }

    it("have the seed's defaults, which stand in the plan", async () => {
      await using scratch = openScriptGate({ t: { script: "ulimit -n" } });
      const { plan } = await scratch.gate.explain({ tool: "t", input: {} });
      expect(plan).toMatchObject({
        timeoutMs: 30_000,
        sandbox: { limits: { memoryBytes: 512 * 1024 * 1024, cpuSeconds: 30, fileBytes: 10 * 1024 * 1024, tasks: 10 } },
      });
      expect(printed(asKind(await run(scratch), "completed").content)).toBe("100\n");
    });
  });
});

needs("bwrap")("`error_mapping` of a script tool", () => {
  const script = "[ {{a}} = x ] || echo trouble >&2; exit {{a}}";
  const mapping = {
    "1": { code: -32002, message: "Resource not found", detail: "File not found: {{a}}", retryable: false },
    "2": { code: -32602, message: "wrong", retryable: true },
    "10": -32000,
  };
  const tool = { script, parameters: [param("a", { type: "number" })], error_mapping: mapping };

  it("makes an error of an exit code, with its detail rendered", async () => {
    await using scratch = openScriptGate({ t: tool });
    const errorOf = async (a: number) => asKind(await run(scratch, { a }), "failed");
    const first = await errorOf(1);
    expect(first.error).toMatchObject({
      exitCode: 1,
      retryable: false,
      mapped: { code: -32002, message: "Resource not found", retryable: false, detail: "File not found: 1" },
      diagnostics: { error_profile: "acp-basic", return_code: 1 },
    });
    expect(printed(first.content)).toContain('[diagnostics] {"error_profile":"acp-basic","return_code":1}');
    expect((await errorOf(2)).error).toMatchObject({ retryable: true, mapped: { code: -32602, detail: "trouble" } });
    expect((await errorOf(10)).error.mapped).toMatchObject({ code: -32000, retryable: false, detail: "trouble" });
    expect((await errorOf(7)).error.mapped).toMatchObject({ code: -32603, retryable: false });
  });

  it("has two profiles", async () => {
    const structured = { ...tool, error_mapping: { "1": { code: -1, detail: { path: "{{a}}", n: 1 } } } };
    expect(() => openScriptGate({ t: structured })).toThrow(/acp-basic/);
    for (const parts of [
      { config: { errorProfile: "extended-json" } },
      { variables: { A2A_ERROR_PROFILE: "extended-json" } },
    ]) {
      const tools = { builtin: [], scripts: ["tools.yaml"] };
      await using scratch = openScriptGate({ t: structured }, { ...parts, config: { tools, ...parts.config } });
      const failed = asKind(await run(scratch, { a: 1 }), "failed");
      expect(failed.error.mapped).toMatchObject({ detail: { path: "1", n: 1 } });
      expect(failed.error.diagnostics).toMatchObject({ error_profile: "extended-json" });
      expect(printed(failed.content)).not.toContain("[diagnostics]");
    }
    expect(() => openScriptGate({ t: tool }, { variables: { A2A_ERROR_PROFILE: "other" } })).toThrow(/other/);
  });

  it("comes with a hint for what authors meet most", async () => {
    await using scratch = openScriptGate({
      missing: { script: "no_such_program" },
      denied: { script: "mkdir made", sandbox: { working_directory: "." } },
      long: { script: "/bin/echo {{a}}", parameters: [param("a")] },
    });
    const hintOf = async (name: string, input: JsonObject = {}) => {
      const { error } = asKind(await scratch.gate.call({ tool: name, input }), "failed");
      return (error.detail as { hint: string }).hint;
    };
    expect(await hintOf("missing")).toContain("install");
    expect(await hintOf("denied")).toContain("grant");
    expect(await hintOf("long", { a: "x".repeat(300_000) })).toContain("standard input");
  });
});
