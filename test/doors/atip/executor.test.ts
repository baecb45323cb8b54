import { describe, expect, it, vi } from "vitest";
import {
  ArgumentValidationError,
  AtipExecuteError,
  type AtipTool,
  createExecutor,
  ExecutionError,
  type ExecutorPolicy,
  executeCommand,
  formatForProvider,
  InsufficientTrustError,
  InteractiveNotSupportedError,
  PolicyViolationError,
  RequiresConfirmationError,
  TimeoutError,
  UnknownCommandError,
} from "../../../src/doors/atip/index.ts";
import { needs } from "../../support/parts.ts";
import { entriesIn } from "../../support/scratch-gate.ts";
import { CAT, call, ECHO, openExecutor, option, program, SAFE, text } from "./some-tools.ts";

const rejected = async (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => null,
    (error: unknown) => error,
  );

needs("bwrap")("createExecutor", () => {
  it("runs a command, and tells all about it", async () => {
    await using scratch = openExecutor({ tools: [ECHO] });
    const result = await scratch.executor.execute(call("echo", { words: ["a", "$(id)"] }));
    expect(result).toMatchObject({
      success: true,
      exitCode: 0,
      stdout: "a $(id)\n",
      stderr: "",
      truncated: false,
      timedOut: false,
      command: ["echo", "a", "$(id)"],
      toolCallId: "c1",
      toolName: "echo",
      formatted: "a $(id)\n[Exit code: 0]",
    });
    expect(result.receipt?.seq).toBeGreaterThan(0);
    // No second pipeline: the ledger has it.
    expect(entriesIn(`${scratch.folder}/.toolgate`).map(({ kind }) => kind)).toContain("tool.decided");
  });

  it("gives a result for a command that fails", async () => {
    await using scratch = openExecutor({ tools: [CAT] });
    scratch.put("there.txt", "there\n");
    const result = await scratch.executor.execute(call("cat", { files: ["there.txt", "gone.txt"] }));
    expect(result).toMatchObject({ success: false, exitCode: 1, stdout: "there\n" });
    expect(result.formatted).toMatch(/^\S*cat: gone\.txt: .*\nthere\n\[Exit code: 1\]$/);
  });

  it("throws for a command whose time is over", async () => {
    const tail = program("tail", {
      arguments: [text("file")],
      options: [option("follow", ["-f"], { type: "boolean" })],
    });
    await using scratch = openExecutor({ tools: [tail], execution: { timeout: 1000 } });
    scratch.put("log", "last\n");
    const error = await rejected(scratch.executor.execute(call("tail", { file: "log", follow: true })));
    expect(error).toBeInstanceOf(TimeoutError);
    expect(error).toMatchObject({
      code: "TIMEOUT",
      timeout: 1000,
      result: { timedOut: true, success: false, exitCode: null },
    });
    const { results } = await scratch.executor.executeBatch([call("tail", { file: "log", follow: true })]);
    expect(results[0]?.error).toBeInstanceOf(TimeoutError);
  });

  it("keeps as much output as it was told to, also more than the gate hands out", async () => {
    const seq = program("seq", { arguments: [text("last", { type: "integer" })] });
    await using small = openExecutor({ tools: [seq], execution: { maxOutputSize: 1024 } });
    const cut = await small.executor.execute(call("seq", { last: 10_000 }));
    expect([cut.truncated, cut.stdout.length <= 1024, cut.stdout.startsWith("1\n2\n")]).toEqual([true, true, true]);
    expect(cut.formatted.endsWith("\n[TRUNCATED - output exceeded 1KB]\n[Exit code: 0]")).toBe(true);
    await using large = openExecutor({ tools: [seq], execution: { maxOutputSize: 4 * 1024 * 1024 } });
    const whole = await large.executor.execute(call("seq", { last: 400_000 }));
    expect([whole.truncated, whole.stdout.split("\n").length]).toEqual([false, 400_001]);
    expect(whole.formatted).toHaveLength(100_000);
  });

  it("streams what it prints, and tells listeners", async () => {
    const heard = { out: "", err: "" };
    await using scratch = openExecutor({
      tools: [CAT],
      execution: { onStdout: (data) => (heard.out += data), onStderr: (data) => (heard.err += data) },
    });
    scratch.put("a", "one\n");
    const parts = await Array.fromAsync(scratch.executor.executeStream(call("cat", { files: ["a"] })));
    expect(parts[0]).toEqual({ type: "stdout", data: "one\n" });
    expect(parts.at(-1)).toMatchObject({ type: "result", result: { success: true, formatted: "one\n[Exit code: 0]" } });
    await scratch.executor.execute(call("cat", { files: ["a", "gone"] }));
    expect([heard.out, heard.err.includes("gone")]).toEqual(["one\n", true]);
  });

  it("takes variables and nothing of its own surroundings", async () => {
    const printenv = program("printenv", { arguments: [text("name")] });
    await using scratch = openExecutor({ tools: [printenv], execution: { env: { MODE: "x" } } });
    expect((await scratch.executor.execute(call("printenv", { name: "MODE" }))).stdout).toBe("x\n");
    expect((await scratch.executor.execute(call("printenv", { name: "VITEST" }))).success).toBe(false);
  });

  it("with a shell: read by the command reader, and no value becomes code", async () => {
    await using scratch = openExecutor({ tools: [ECHO], execution: { shell: true } });
    const words = ["$(touch evil)", "; touch evil", "'", "a b"];
    const result = await scratch.executor.execute(call("echo", { words }));
    expect(result.stdout).toBe(`${words.join(" ")}\n`);
    expect((await scratch.executor.execute(call("echo", { words: ["*"] }))).stdout).toBe("*\n");
  });

  it("lets a program write only where its effects and the policy say so", async () => {
    const touch = (write: boolean) =>
      program("touch", { arguments: [text("file")], effects: { ...SAFE, filesystem: { write, delete: false } } });
    await using no = openExecutor({ tools: [touch(false)] });
    expect((await no.executor.execute(call("touch", { file: "x" }))).success).toBe(false);
    await using yes = openExecutor({ tools: [touch(true)] });
    expect((await yes.executor.execute(call("touch", { file: "x" }))).success).toBe(true);
  });
});

describe("what it throws", () => {
  const destroyer = program("true", { effects: { ...SAFE, destructive: true, reversible: false } });

  it.each<
    [string, AtipTool, ReturnType<typeof call>, ExecutorPolicy, new (...args: never[]) => AtipExecuteError, object]
  >([
    ["an unknown name", ECHO, call("ecco"), {}, UnknownCommandError, { code: "UNKNOWN_COMMAND", toolName: "ecco" }],
    ["an unknown name before trust", ECHO, call("ecco"), { minTrustLevel: "native" }, UnknownCommandError, {}],
    [
      "a missing argument",
      ECHO,
      call("echo"),
      {},
      ArgumentValidationError,
      { errors: [{ code: "MISSING_REQUIRED", parameter: "words" }] },
    ],
    [
      "another type",
      program("true", { options: [option("n", ["-n"], { type: "integer" })] }),
      call("true", { n: "12abc" }),
      {},
      ArgumentValidationError,
      { errors: [{ code: "INVALID_TYPE", parameter: "n" }] },
    ],
    [
      "another word",
      program("true", { options: [option("n", ["-n"], { type: "enum", enum: ["a"] })] }),
      call("true", { n: "A" }),
      {},
      ArgumentValidationError,
      { errors: [{ code: "INVALID_ENUM" }] },
    ],
    [
      "an option for a value",
      ECHO,
      call("echo", { words: ["-e"] }),
      {},
      ArgumentValidationError,
      { errors: [{ code: "INVALID_FORMAT", parameter: "words" }] },
    ],
    [
      "arguments that could not be read",
      ECHO,
      call("echo", {}, { problem: "not JSON" }),
      {},
      ArgumentValidationError,
      { message: "not JSON" },
    ],
    [
      "destructive without a handler",
      destroyer,
      call("true"),
      {},
      RequiresConfirmationError,
      {
        code: "REQUIRES_CONFIRMATION",
        context: { toolName: "true", command: ["true"], reasons: ["destructive"], trust: "user" },
      },
    ],
    [
      "nothing said is not safe",
      program("true", { effects: {} }),
      call("true"),
      {},
      RequiresConfirmationError,
      { context: { reasons: ["destructive"] } },
    ],
    [
      "a handler that says no",
      destroyer,
      call("true"),
      { confirmationHandler: () => false },
      PolicyViolationError,
      { violations: [{ code: "DESTRUCTIVE_BLOCKED" }] },
    ],
    [
      "a handler that throws",
      destroyer,
      call("true"),
      { confirmationHandler: () => Promise.reject(new Error("x")) },
      AtipExecuteError,
      {},
    ],
    [
      "a handler that says something else",
      destroyer,
      call("true"),
      { confirmationHandler: (() => "yes") as never },
      PolicyViolationError,
      {},
    ],
    [
      "not reversible",
      destroyer,
      call("true"),
      { allowDestructive: true, allowNonReversible: false },
      RequiresConfirmationError,
      { context: { reasons: ["non-reversible"] } },
    ],
    [
      "the network",
      program("true", { effects: { ...SAFE, network: true } }),
      call("true"),
      { allowNetwork: false, confirmationHandler: () => true },
      PolicyViolationError,
      { code: "NETWORK_BLOCKED" },
    ],
    [
      "writing",
      program("true", { effects: { ...SAFE, filesystem: { write: true } } }),
      call("true"),
      { allowFilesystemWrite: false, confirmationHandler: () => true },
      PolicyViolationError,
      { code: "FILESYSTEM_WRITE_BLOCKED" },
    ],
    [
      "deleting",
      program("true", { effects: { ...SAFE, filesystem: { delete: true } } }),
      call("true"),
      { allowFilesystemDelete: false },
      RequiresConfirmationError,
      { context: { reasons: ["filesystem-delete"] } },
    ],
    [
      "money",
      program("true", { effects: { ...SAFE, cost: { billable: true, estimate: "high" } } }),
      call("true"),
      { allowBillable: false, maxCostEstimate: "low" },
      RequiresConfirmationError,
      { context: { reasons: ["billable", "cost-high"] } },
    ],
    [
      "too little trust, before any question",
      { ...destroyer, trust: { source: "user" } },
      call("true"),
      { minTrustLevel: "org", confirmationHandler: () => true },
      InsufficientTrustError,
      { actual: "user", required: "org" },
    ],
    [
      "a description that vouches for itself",
      { ...destroyer, trust: { source: "native", verified: true } },
      call("true"),
      { minTrustLevel: "community", confirmationHandler: () => true },
      InsufficientTrustError,
      { actual: "user", required: "community" },
    ],
    [
      "less trust than you have said",
      { ...destroyer, trust: { source: "vendor" } },
      call("true"),
      { minTrustLevel: "vendor", trust: { true: "org", other: "vendor" } },
      InsufficientTrustError,
      { actual: "org", required: "vendor" },
    ],
    [
      "no trust at all",
      { ...destroyer, trust: {} },
      call("true"),
      { minTrustLevel: "user" },
      InsufficientTrustError,
      { actual: "inferred" },
    ],
    [
      "a terminal",
      program("true", { effects: { ...SAFE, interactive: { tty: true } } }),
      call("true"),
      {},
      InteractiveNotSupportedError,
      { interactive: { tty: true } },
    ],
    [
      "a terminal, though the policy has nothing against it",
      program("true", { effects: { ...SAFE, interactive: { prompts: true } } }),
      call("true"),
      { allowInteractive: true },
      InteractiveNotSupportedError,
      {},
    ],
    [
      "a program that is not there",
      program("no-such-program", {}),
      call("no-such-program"),
      {},
      ExecutionError,
      { code: "FILE_NOT_FOUND" },
    ],
  ])("%s", async (_, tool, made, policy, kind, fields) => {
    await using scratch = openExecutor({ tools: [tool], policy });
    const error = await rejected(scratch.executor.execute(made));
    expect(error).toBeInstanceOf(kind);
    expect(error).toBeInstanceOf(AtipExecuteError);
    expect(error).toMatchObject(fields);
  });

  it.each<[string, object]>([
    ["timeout", { timeout: 600_001 }],
    ["timeout", { timeout: 0 }],
    ["maxOutputSize", { maxOutputSize: 10 * 1024 * 1024 + 1 }],
  ])("a limit beyond its maximum: %s", (name, execution) => {
    expect(() => createExecutor({ tools: [ECHO], execution })).toThrow(new RegExp(`\`${name}\` has to be`));
  });

  it("metadata that can't be used, and two tools of one name", () => {
    expect(() => createExecutor({ tools: [{ ...ECHO, name: "a b" }] })).toThrow(AtipExecuteError);
    expect(() => createExecutor({ tools: [ECHO, ECHO] })).toThrow("two commands are called `echo`");
  });
});

needs("bwrap")("confirmation", () => {
  it("tells the handler everything, and runs on its yes", async () => {
    const tool = program("echo", { arguments: [text("word")], effects: { ...SAFE, destructive: true } });
    const confirmationHandler = vi.fn(async () => true);
    await using scratch = openExecutor({ tools: [tool], policy: { confirmationHandler } });
    const result = await scratch.executor.execute(call("echo", { word: "bye", other: 1 }));
    expect(result.stdout).toBe("bye\n");
    expect(confirmationHandler.mock.calls).toEqual([
      [
        {
          toolName: "echo",
          command: ["/usr/bin/echo", "bye"],
          arguments: { word: "bye" },
          reasons: ["destructive"],
          effects: { ...SAFE, destructive: true },
          trust: "user",
        },
      ],
    ]);
  });

  it("tells how far you said that the tool is trusted, and lets it pass that minimum", async () => {
    const tool = program("true", { effects: { ...SAFE, destructive: true } }, { trust: {} });
    const confirmationHandler = vi.fn(async () => true);
    const policy = { confirmationHandler, minTrustLevel: "org", trust: { true: "org" } } as const;
    await using scratch = openExecutor({ tools: [tool], policy });
    expect((await scratch.executor.execute(call("true"))).success).toBe(true);
    expect(confirmationHandler).toHaveBeenCalledWith(expect.objectContaining({ trust: "org" }));
  });

  it("is needed for what says that it deletes something, in whichever words", async () => {
    const tool = program("true", { effects: { ...SAFE, deletes: ["a branch"] } });
    await using scratch = openExecutor({ tools: [tool] });
    expect(await rejected(scratch.executor.execute(call("true")))).toBeInstanceOf(RequiresConfirmationError);
  });

  it("is not needed where the policy allows it", async () => {
    await using scratch = openExecutor({
      tools: [program("true", { effects: { destructive: true } })],
      policy: { allowDestructive: true },
    });
    expect((await scratch.executor.execute(call("true"))).success).toBe(true);
  });
});

needs("bwrap")("executeBatch", () => {
  const calls = ["a", "gone", "b"].map((file, n) => ({ id: `c${n}`, name: "cat", arguments: { files: [file] } }));

  it.each([{ parallel: false }, { parallel: true, maxConcurrency: 2 }])(
    "goes on after a failure: %j",
    async (settings) => {
      await using scratch = openExecutor({ tools: [CAT] });
      scratch.put("a", "A");
      scratch.put("b", "B");
      const batch = await scratch.executor.executeBatch(calls, settings);
      expect(batch).toMatchObject({ successCount: 2, failureCount: 1 });
      expect(batch.results.map(({ toolCallId, result }) => [toolCallId, result?.stdout])).toEqual([
        ["c0", "A"],
        ["c1", ""],
        ["c2", "B"],
      ]);
    },
  );

  it("stops after a failure and keeps what has ended", async () => {
    await using scratch = openExecutor({ tools: [CAT] });
    scratch.put("a", "A");
    const { results, successCount, failureCount } = await scratch.executor.executeBatch(calls, {
      continueOnError: false,
    });
    expect([results.length, successCount, failureCount]).toEqual([2, 1, 1]);
  });

  it("keeps the order of what may get in each other's way", async () => {
    const effects = { ...SAFE, filesystem: { write: true, delete: false } };
    const cp = program("cp", { arguments: [text("from"), text("to")], effects });
    await using scratch = openExecutor({ tools: [cp, CAT] });
    scratch.put("a", "A");
    const chain = [
      ["a", "b"],
      ["b", "c"],
      ["c", "d"],
    ].map(([from, to], n) => ({ id: `${n}`, name: "cp", arguments: { from: from as string, to: to as string } }));
    const last = { id: "r", name: "cat", arguments: { files: ["d"] } };
    const { results } = await scratch.executor.executeBatch([...chain, last], { parallel: true });
    expect(results.at(-1)?.result?.stdout).toBe("A");
  });

  it("answers errors in their places", async () => {
    await using scratch = openExecutor({ tools: [ECHO] });
    const { results } = await scratch.executor.executeBatch([call("nope"), call("echo", { words: ["x"] })]);
    expect(results.map(({ success, error }) => [success, error?.code])).toEqual([
      [false, "UNKNOWN_COMMAND"],
      [true, undefined],
    ]);
    await expect(scratch.executor.executeBatch([], { maxConcurrency: 0 })).rejects.toThrow("maxConcurrency");
  });
});

needs("bwrap")("executeCommand", () => {
  const here = () => openExecutor({ tools: [ECHO] });

  it("runs words without a shell", async () => {
    await using scratch = here();
    const result = await executeCommand(["printf", "%s", "-x $HOME"], { cwd: scratch.folder });
    expect(result).toMatchObject({ success: true, stdout: "-x $HOME", command: ["printf", "%s", "-x $HOME"] });
  });

  it("runs a line with one, which the command reader has read", async () => {
    await using scratch = here();
    expect((await executeCommand("echo a | tr a b", { cwd: scratch.folder, shell: true })).stdout).toBe("b\n");
    await expect(executeCommand("$X", { cwd: scratch.folder, shell: true })).rejects.toThrow(AtipExecuteError);
    await expect(executeCommand("echo a", { cwd: scratch.folder })).rejects.toThrow("shell: true");
    await expect(executeCommand([], { cwd: scratch.folder })).rejects.toThrow("no command");
  });

  it("keeps the words of a list words, also with a shell", async () => {
    await using scratch = here();
    const words = ["echo", "a b", "it's", "$HOME", "; echo c", "$(echo d)"];
    const result = await executeCommand(words, { cwd: scratch.folder, shell: true });
    expect(result.stdout).toBe("a b it's $HOME ; echo c $(echo d)\n");
    await expect(executeCommand([], { cwd: scratch.folder, shell: true })).rejects.toThrow("no command");
  });

  it("grants nothing by itself", async () => {
    await using scratch = here();
    const { folder: cwd } = scratch;
    expect((await executeCommand(["touch", "x"], { cwd })).success).toBe(false);
    expect((await executeCommand(["touch", "x"], { cwd, grant: { write: ["./**"] } })).success).toBe(true);
  });

  it("gives a result when its time is over", async () => {
    await using scratch = here();
    const line = "echo begun; sleep 60";
    const result = await executeCommand(line, { cwd: scratch.folder, shell: true, timeout: 1000 });
    expect(result).toMatchObject({ timedOut: true, success: false, exitCode: null });
  });
});

needs("bwrap")("output.redactPatterns", () => {
  it("hold for all that leaves, and not only for what a model is told", async () => {
    const heard: string[] = [];
    await using scratch = openExecutor({
      tools: [CAT],
      policy: { trust: { cat: "vendor" } },
      output: { redactPatterns: [/(?<=customer )\d+/y, "iban-[a-z]+", /begin[\s\S]*?end/] },
      execution: { onStdout: (text) => heard.push(text), onStderr: (text) => heard.push(text) },
    });
    scratch.put("a.txt", "customer 4711\nplain\niban-abc\nbegin\nsecret\nend\n");
    const made = call("cat", { files: ["a.txt", "customer 4712"] });
    const result = await scratch.executor.execute(made);
    const batch = await scratch.executor.executeBatch([made]);
    const parts: unknown[] = [];
    for await (const part of scratch.executor.executeStream(made)) parts.push(part);
    expect(result.stdout).toContain("plain");
    expect(result.stderr).not.toBe("");
    const message = formatForProvider("openai", made, result);
    const { command: _, ...said } = result;
    for (const told of [said.stdout, said.stderr, said.formatted, message, heard]) {
      expect(JSON.stringify(told)).not.toMatch(/4711|4712|iban-abc/);
    }
    for (const told of [batch.results.map(({ result: each }) => each?.stdout), parts])
      expect(JSON.stringify(told)).not.toMatch(/4711|iban-abc/);
    for (const told of [result.stdout, result.formatted, message]) expect(JSON.stringify(told)).not.toContain("secret");
  });

  it("hold also in what an error carries, and over several lines", async () => {
    // `tail -f` prints what is there, and waits.
    const tail = program("tail", {
      arguments: [text("files", { type: "file", variadic: true })],
      options: [option("follow", ["-f"], { type: "boolean" })],
    });
    await using scratch = openExecutor({
      tools: [tail],
      policy: { trust: { tail: "vendor" } },
      output: { redactPatterns: [/begin[\s\S]*?end/] },
      execution: { timeout: 1000 },
    });
    scratch.put("a.txt", "plain\nbegin\nsecret\nend\n");
    const made = call("tail", { files: ["a.txt"], follow: true });
    const error = await scratch.executor.execute(made).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(TimeoutError);
    const { stdout } = (error as TimeoutError).result;
    expect(stdout).toContain("plain");
    expect(stdout).not.toContain("secret");
  });
});
