import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { expect, it } from "vitest";
import { handClock } from "../../support/hand-clock.ts";
import { needs } from "../../support/parts.ts";
import { openRunningGate, printed, RUN_ALL, RUN_ONLY } from "../../support/running-gate.ts";
import { asKind, codeOf } from "../../support/scratch-gate.ts";

needs("bwrap", "prlimit")("run_command", () => {
  it("runs what was judged, says how it ended, and the ledger knows in what it ran", async () => {
    await using scratch = openRunningGate();
    const outcome = asKind(await scratch.run("echo 'a b' c"), "completed");
    expect([outcome.exitCode, printed(outcome)]).toEqual([0, "a b c\n"]);
    expect(outcome.sandbox?.backend).toBe("namespaces");
    const entries = scratch.entries(outcome.callId);
    expect(entries.at(-1)?.body).toMatchObject({ exitCode: 0, sandbox: "namespaces" });
    expect(entries.find(({ kind }) => kind === "tool.decided")?.body).toMatchObject({
      sandbox: { backend: "namespaces", limits: { tasks: 512 } },
      grant: { write: ["./**"] },
    });
  });

  it.each([1, 2, 42, 127, 255])("exit code %i is a failure, as it is (A33)", async (code) => {
    await using scratch = openRunningGate();
    const outcome = asKind(await scratch.run(`echo out; echo err >&2; exit ${code}`), "failed");
    expect([outcome.error.code, outcome.error.exitCode]).toEqual(["TOOL_FAILED", code]);
    expect(printed(outcome)).toBe("out\n[stderr]\nerr\n");
  });

  it.each([
    ["completed", "0"],
    ["failed", "3"],
  ] as const)("what is left out of a long output can be had whole, without secrets: %s", async (kind, code) => {
    await using scratch = openRunningGate();
    const key = `AKIA${"IOSFODNN7EXAMPLE".replace("EXAMPLE", "QRSTUVW")}`;
    const outcome = asKind(await scratch.run(`seq 1 20000; echo ${key} >&2; seq 20001 40000; exit ${code}`), kind);
    const { bytes, blob } = outcome.truncated ?? {};
    expect(printed(outcome)).toMatch(new RegExp(`\\[left out: \\d+ bytes; the whole: toolgate blobs get ${blob}\\]`));
    const found = await scratch.gate.blobs.get(String(blob));
    if (!found.ok) throw new Error(found.fault.message);
    const text = (await buffer(found.value.chunks())).toString();
    expect(text).not.toContain(key);
    const printedLines = text.split("\n").filter((line) => /^\d+$/.test(line));
    expect([printedLines.length, printedLines.at(-1), text.length]).toEqual([40_000, "40000", bytes]);
    expect(scratch.entries(outcome.callId).at(-1)?.body).toMatchObject({ blob });
  });

  it.each(["TIMEOUT", "CANCELLED"] as const)("also of what was ended by its %s", async (code) => {
    await using scratch = openRunningGate();
    const clock = handClock();
    const stop = new AbortController();
    const begun = Promise.withResolvers<void>();
    let text = "";
    const onProgress = ({ message }: { readonly message: string }) => {
      text += message;
      if (text.endsWith("\n40000\n")) begun.resolve();
    };
    const input = { command: "seq 1 40000; sleep 600", timeoutMs: 4000 };
    const options = { onProgress, signal: stop.signal };
    const called = scratch.again({ inner: { clock } }).call({ tool: "run_command", input }, options);
    await begun.promise;
    if (code === "TIMEOUT") clock.move(4000);
    else stop.abort();
    const outcome = asKind(await called, "failed");
    const { bytes, blob } = outcome.truncated ?? {};
    expect([outcome.error.code, bytes]).toEqual([code, text.length]);
    expect(printed(outcome)).toContain(`the whole: toolgate blobs get ${blob}`);
    const found = await scratch.gate.blobs.get(String(blob));
    expect(found.ok && (await buffer(found.value.chunks())).toString()).toBe(text);
    expect(scratch.entries(outcome.callId).at(-1)?.body).toMatchObject({ blob });
  });

  it("an output that is shown whole is kept nowhere else", async () => {
    await using scratch = openRunningGate();
    const outcome = asKind(await scratch.run("head -c 60000 /dev/zero | tr '\\0' a"), "completed");
    expect([outcome.truncated, printed(outcome).length]).toEqual([undefined, 60_000]);
    expect(existsSync(join(scratch.stateDir, "blobs"))).toBe(false);
  });

  it("writes where it was granted, and nowhere else", async () => {
    await using scratch = openRunningGate();
    scratch.put("a/b.txt");
    expect(codeOf(await scratch.run("echo new > a/b.txt && mkdir c && echo x > c/d"))).toBe("completed");
    expect([scratch.text("a/b.txt"), scratch.text("c/d")]).toEqual(["new\n", "x\n"]);
    await using closed = openRunningGate(RUN_ONLY);
    closed.put("a.txt", "old");
    expect(printed(await closed.run("cp /etc/hosts a.txt; mkdir c; touch x; cat a.txt"))).toContain(
      "Read-only file system",
    );
    expect([closed.text("a.txt"), readdirSync(closed.workspace)]).toEqual(["old", ["a.txt"]]);
  });

  it("a file that the shell itself writes was judged by name, and is made although the folder is closed", async () => {
    await using scratch = openRunningGate(RUN_ONLY);
    expect(codeOf(await scratch.run("echo hi > new.txt"))).toBe("completed");
    expect(scratch.text("new.txt")).toBe("hi\n");
    expect(codeOf(await scratch.run("exit 3; echo hi > other.txt"))).toBe("TOOL_FAILED");
    expect(readdirSync(scratch.workspace)).toEqual(["new.txt"]);
  });

  it("a deny binds cp, rm and mv too: what is denied is hidden or stays as it is", async () => {
    await using scratch = openRunningGate([
      ...RUN_ALL,
      { id: "secrets", effect: "deny", touch: { read: ["./**/.env", "./keys/**"] } },
      { id: "machinery", effect: "deny", touch: { write: ["./**/.git/hooks/**", "./**/.git/config", "./**/.npmrc"] } },
    ]);
    for (const path of [
      ".env",
      "sub/.env",
      "keys/k1",
      ".git/hooks/pre-commit",
      ".git/config",
      "sub/.git/config",
      "sub/x",
      "other/deep/.env",
    ])
      scratch.put(path, `content of ${path}`);
    const read = await scratch.run("cat .env; cat sub/.env; ls keys; cat keys/k1; cat sub/x; cp .env y; ln .env z");
    expect(printed(read)).toContain("content of sub/x");
    expect(printed(read)).not.toMatch(/content of (?:\.env|sub\/\.env|keys)/);
    const attempts = [
      "echo x > .git/hooks/pre-commit",
      "echo x > .git/hooks/new",
      "rm -rf .git",
      "mv .git moved",
      "mv sub elsewhere",
      // What is hidden must not turn up under another name.
      "mv other elsewhere",
      "mv other/deep other/open",
      "mv keys open",
      "rm sub/.git/config",
      "ln sub/.git/config hard && echo x > hard",
      "echo x > .npmrc",
      "mkdir -p sub/.git/hooks; echo x > sub/.git/hooks/post-commit",
      "mv sub/.git sub/g2 && mkdir sub/.git && echo x > sub/.git/config",
    ];
    for (const attempt of attempts) {
      const bash = `bash -c '${attempt.replaceAll("'", "")}'`;
      expect([attempt, codeOf(await scratch.run(bash))]).not.toEqual([attempt, "completed"]);
    }
    expect(scratch.text(".git/hooks/pre-commit")).toBe("content of .git/hooks/pre-commit");
    expect(scratch.text("sub/.git/config")).toBe("content of sub/.git/config");
    expect(readdirSync(scratch.workspace).sort()).toEqual([".env", ".git", "keys", "other", "sub"]);
    expect(readdirSync(join(scratch.workspace, ".git/hooks"))).toEqual(["pre-commit"]);
    expect(existsSync(join(scratch.workspace, "sub/.git/hooks"))).toBe(false);
  });

  it("who may not write a repository's configuration does not say either that it is elsewhere", async () => {
    await using scratch = openRunningGate([
      ...RUN_ALL,
      { id: "machinery", effect: "deny", touch: { write: ["./**/.git/config", "./**/.git/config.worktree"] } },
    ]);
    for (const path of [".git/config", ".git/worktrees/x/commondir", "other/config", "tree/.git"])
      scratch.put(path, `content of ${path}`);
    const refused = [
      ...["echo ../other > .git/worktrees/x/commondir", "mv .git/worktrees moved", "echo gitdir: ../other > tree/.git"],
      ...["rm tree/.git", "mv tree moved"],
    ];
    for (const attempt of refused)
      expect([attempt, codeOf(await scratch.run(`bash -c '${attempt}'`))]).toEqual([attempt, "TOOL_FAILED"]);
    // What the shell itself would open is there before it starts, and so it is covered.
    for (const path of [".git/commondir", ".git/worktrees/x/config.worktree"])
      expect(printed(await scratch.run(`echo [core] > ${path}`))).toContain("Read-only file system");
    const takenAway = [
      "ln -s ../other/config .git/commondir",
      "cp other/config .git/commondir",
      "cp other/config .git/config.worktree",
      "cp other/config .git/worktrees/x/config.worktree",
    ];
    for (const attempt of takenAway)
      expect([attempt, printed(await scratch.run(attempt))]).toEqual([
        attempt,
        expect.stringContaining("the rules let no program make this"),
      ]);
    expect(readdirSync(join(scratch.workspace, ".git")).sort()).toEqual(["config", "worktrees"]);
    expect(readdirSync(join(scratch.workspace, ".git/worktrees/x"))).toEqual(["commondir"]);
    expect(scratch.text("tree/.git")).toBe("content of tree/.git");
    // Without such a rule it is like any other file.
    await using open = openRunningGate();
    open.put(".git/config");
    expect(codeOf(await open.run("bash -c 'echo ../other > .git/commondir'"))).toBe("completed");
  });

  it("git works in a repository that programs are kept from leading elsewhere", async () => {
    await using scratch = openRunningGate([
      ...RUN_ALL,
      { id: "machinery", effect: "deny", touch: { write: ["./**/.git/config", "./**/.git/config.worktree"] } },
    ]);
    const git = (...args: string[]) => execFileSync("git", ["-C", scratch.workspace, ...args]);
    git("init", "-q", "-b", "main");
    git("config", "extensions.worktreeConfig", "true");
    scratch.put("a.txt", "one");
    const author = "git -c user.name=Ann -c user.email=a@b.c";
    const script = `git add a.txt && ${author} commit -qm first && git branch topic && git worktree add -q tree topic && git -C tree status && git gc -q && ${author} stash`;
    scratch.put("all.sh", script);
    expect([codeOf(await scratch.run("bash all.sh")), printed(await scratch.run("git log --format=%s"))]).toEqual([
      "completed",
      "first\n",
    ]);
    expect(git("fsck").toString()).toBe("");
  });

  it("protected links don't break the sandbox: their folder is kept as it is (F34)", async () => {
    await using scratch = openRunningGate([
      ...RUN_ALL,
      { id: "machinery", effect: "deny", touch: { write: ["./**/.git/hooks/**"] } },
    ]);
    scratch.put(".git/HEAD", "x");
    scratch.put("shared/hook");
    symlinkSync("../shared", join(scratch.workspace, ".git/hooks"));
    expect(codeOf(await scratch.run("echo x > free"))).toBe("completed");
    expect(codeOf(await scratch.run("bash -c 'rm .git/hooks'"))).toBe("TOOL_FAILED");
    expect(existsSync(join(scratch.workspace, ".git/hooks/hook"))).toBe(true);
  });

  it("keeps what was printed when the time is over, and nothing goes on", async () => {
    await using scratch = openRunningGate();
    const outcome = asKind(await scratch.run("echo before; sleep 600; echo after", { timeoutMs: 4000 }), "failed");
    expect([outcome.error.code, printed(outcome)]).toEqual(["TIMEOUT", "before\n"]);
    expect(outcome.sandbox?.backend).toBe("namespaces");
  });

  it("a program that cleans up is let do so; one that does not listen is killed (F20)", async () => {
    await using scratch = openRunningGate();
    const kind = asKind(
      await scratch.run("trap 'echo cleaned; exit' TERM; sleep 600 & wait", { timeoutMs: 4000 }),
      "failed",
    );
    expect([kind.error.code, printed(kind)]).toEqual(["TIMEOUT", "cleaned\n"]);
    const deaf = asKind(
      await scratch.run("trap '' TERM; echo deaf; while true; do sleep 1; done", { timeoutMs: 4000 }),
      "failed",
    );
    expect([deaf.error.code, printed(deaf)]).toEqual(["TIMEOUT", "deaf\n"]);
  });

  it("gets stdin, cwd and its own variables, and no others (A14)", async () => {
    const named = { id: "mine", effect: "allow", touch: { exec: ["MINE=x **"] } } as const;
    await using scratch = openRunningGate([...RUN_ALL, named]);
    scratch.put("sub/x");
    process.env["TOOLGATE_TEST_SECRET"] = "hunter2";
    const outcome = await scratch.run("cat; pwd; env", { stdin: "typed", cwd: "sub", env: { MINE: "x" } });
    delete process.env["TOOLGATE_TEST_SECRET"];
    expect(printed(outcome)).toContain(`typed${scratch.workspace}/sub\n`);
    const names = printed(outcome)
      .split("\n")
      .flatMap((line) => /^([A-Z_]+)=/.exec(line)?.[1] ?? []);
    const expected = [
      "GIT_CONFIG_SYSTEM",
      "HOME",
      "LANG",
      "LOGNAME",
      "MINE",
      "PATH",
      "PWD",
      "SHLVL",
      "TERM",
      "TMPDIR",
      "USER",
      "_",
    ];
    expect(names.sort()).toEqual(expected);
    // What ends a word of the launcher's options must not get into one.
    expect(codeOf(await scratch.run("env", { env: { X: "a\0--bind\0/\0/" } }))).toBe("INVALID_ARGUMENTS");
  });

  it("a script that changed after it was judged is not run", async () => {
    await using scratch = openRunningGate(
      RUN_ALL.map((rule) => ({ ...rule, effect: "ask" })),
      {
        approver: {
          ask: async () => {
            scratch.put("run.sh", "#!/bin/sh\necho evil\n");
            return { kind: "approve", who: "ann" };
          },
        },
      },
    );
    chmodSync(scratch.put("run.sh", "#!/bin/sh\necho good\n"), 0o755);
    expect(codeOf(await scratch.run("./run.sh"))).toBe("APPROVAL_STALE");
    expect(codeOf(await scratch.run("bash run.sh"))).toBe("completed");
  });

  it("output that is no text is kept as it is (F23)", async () => {
    await using scratch = openRunningGate();
    const outcome = asKind(await scratch.run("printf '\\x00\\xff\\xfe'"), "completed");
    expect(outcome.content).toEqual([
      { type: "resource", uri: "output:stdout", mediaType: "application/octet-stream", blob: "AP/+" },
    ]);
  });

  it("of a flood little is kept, and its size is known (F22)", async () => {
    await using scratch = openRunningGate();
    const outcome = asKind(await scratch.run("head -c 5000000 /dev/zero | tr '\\0' 'x'"), "completed");
    expect(outcome.structured).toMatchObject({ stdout: { bytes: 5_000_000, cut: true } });
    expect(printed(outcome).length).toBeLessThan(70_000);
  });
});
