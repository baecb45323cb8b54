// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is bash, and no JavaScript

import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { ownPathsIn } from "../../../src/tools/sandboxed/own-places.ts";
import { needs } from "../../support/parts.ts";
import { openRunningGate, printed } from "../../support/running-gate.ts";
import { asKind, codeOf } from "../../support/scratch-gate.ts";

const HELD = { backend: "namespaces" } as Parameters<typeof ownPathsIn>[0];
const NONE = { backend: "none" } as Parameters<typeof ownPathsIn>[0];

describe("whether a path is in a folder of the sandbox's own", () => {
  const own = ownPathsIn(HELD, "/home/me/ws", "/home/me/ws");
  it.each<[path: string, folder: string, own: string | null]>([
    ["/tmp/x", "", "/tmp/x"],
    ["//tmp/./a//x", "", "/tmp/a/x"],
    ["x", "/tmp", "/tmp/x"],
    ["/.home/x", "", "/.home/x"],
    ["/tmp", "", null],
    ["/tmpx", "", null],
    ["/tmp/../etc/x", "", null],
    ["/tmp/a/../x", "", null],
    ["../tmp/x", "", null],
    ["tmp/x", "", null],
    ["/var/tmp/x", "", null],
    ["/dev/shm/x", "", null],
  ])("%j in %j", (path, folder, expected) => expect(own({ kind: "write", path }, folder)).toBe(expected));

  it("is not where a workspace below `/tmp` is mounted, nor without a sandbox", () => {
    const inTmp = ownPathsIn(HELD, "/tmp/a/ws", "/tmp/a/ws");
    for (const path of ["/tmp/a/ws/x", "/tmp/a/ws", "/tmp/a", "x"])
      expect(inTmp({ kind: "write", path }, "")).toBeNull();
    expect(inTmp({ kind: "write", path: "/tmp/a/x" }, "")).toBe("/tmp/a/x");
    for (const path of ["/tmp/a/out.log", "/tmp/b/package.json"]) expect(inTmp({ kind: "write", path }, "")).toBe(path);
    for (const path of ["/tmp/package.json", "/tmp/a/conftest.py", "/tmp/a/justfile", "/tmp/Gemfile"])
      expect(inTmp({ kind: "write", path }, "")).toBeNull();
    expect(ownPathsIn(HELD, "/tmp", "/tmp")({ kind: "write", path: "/tmp/x" }, "")).toBeNull();
    expect(ownPathsIn(HELD, "/", "/")({ kind: "write", path: "/tmp/x" }, "")).toBeNull();
    expect(ownPathsIn(NONE, "/ws", "/ws")({ kind: "write", path: "/tmp/x" }, "")).toBeNull();
  });

  it("is what `/proc` says of the kernel, to be read, and not what it says of a process", () => {
    expect(own({ kind: "read", path: "/proc/cpuinfo" }, "")).toBe("/proc/cpuinfo");
    expect(own({ kind: "write", path: "/proc/sys/kernel/core_pattern" }, "")).toBeNull();
    for (const path of ["/proc/self/environ", "/proc/1/root/etc/shadow", "/proc/kcore", "/proc/self/cwd/x"])
      expect(own({ kind: "read", path }, "")).toBeNull();
  });
});

const RUN = (...more: readonly object[]) => [
  {
    id: "run",
    effect: "allow",
    dynamic: true,
    touch: {
      exec: ["echo **", "cat **", "cd **", "tail **", "export **", "node **", "node -p 0", "bash **", "timeout **"],
    },
  },
  ...more,
];

needs("bwrap", "prlimit")("a command that writes to its own `/tmp` and home", () => {
  const folder = mkdtempSync(join(tmpdir(), "toolgate-own-"));
  const name = join(folder, "out");
  afterAll(() => rmSync(folder, { recursive: true }));
  const open = (...rules: readonly object[]) => openRunningGate(RUN(...rules) as never);

  it.each([
    `echo a > ${name}x; tail ${name}x`,
    "cd /tmp && echo a > out && cat out",
    "echo a > ~/out; cat < ~/out",
    'echo a > "$HOME/out"; cat < $HOME/out',
    "echo a > $TMPDIR/out; cat /tmp/out",
    'echo a > "${TMPDIR:-/tmp}/out"; cat < /tmp/out',
    "node -p 0 > /tmp/out; echo a > /tmp/out; cat /tmp/out",
  ])("needs no rule for it: %s", async (line) => {
    await using scratch = open();
    // Only `/tmp` itself is the sandbox's: the folders in it are not there.
    const command = line.replaceAll(folder, "/tmp");
    expect(printed(asKind(await scratch.run(command), "completed"))).toBe("a\n");
    expect(existsSync("/tmp/outx") || existsSync("/tmp/out")).toBe(false);
  });

  it("does not touch or see a file of the machine of that name", async () => {
    writeFileSync(name, "of the machine");
    await using scratch = open();
    expect(codeOf(await scratch.run(`cat ${name}`))).toBe("TOOL_FAILED");
    await scratch.run(`echo a > ${name}`);
    expect(readFileSync(name, "utf8")).toBe("of the machine");
  });

  it("says in the plan that it stays in the sandbox", async () => {
    await using scratch = open();
    const { touches, decision } = await scratch.gate.explain({
      tool: "run_command",
      input: { command: "echo a > /tmp/out" },
    });
    expect(decision).toBe("allow");
    expect(touches.at(-1)).toMatchObject({ kind: "write", path: "/tmp/out", own: true, ruleId: "builtin:own-folder" });
  });

  it("is judged as the machine's where a rule grants a place there", async () => {
    const grants = { id: "grants", effect: "allow", touch: { exec: ["true"] }, grant: { write: [`${folder}/**`] } };
    await using scratch = open(grants);
    expect(codeOf(await scratch.run(`echo a > ${name}`))).toBe("DEFAULT_DENY");
    expect(codeOf(await scratch.run("echo a > /tmp/elsewhere"))).toBe("completed");
  });

  it("leaves file tools with the machine's `/tmp`", async () => {
    await using scratch = open();
    expect(codeOf(await scratch.gate.call({ tool: "read_file", input: { path: name } }))).toBe("DEFAULT_DENY");
    expect(codeOf(await scratch.gate.call({ tool: "write_file", input: { path: name, content: "x" } }))).toBe(
      "DEFAULT_DENY",
    );
  });

  it.each([
    "HOME=$PWD; echo a > ~/out",
    "export HOME=/etc; echo a > $HOME/out",
    "export TMPDIR=.; echo a > $TMPDIR/out",
    "echo a > ~root/out",
    'echo a > "~/out"',
    "echo a > ~+/out",
    "echo a > $HOME/../etc/out",
    "echo a > $HOME",
    "echo a > /tmp/../etc/out",
    "echo a > /var/tmp/out",
    // Programs obey what they find there.
    "echo a > ~/.gitconfig",
    "echo a > ~/.config/git/config",
    "echo a > $HOME/.npmrc",
    "echo a > ~/lib/a",
    "echo a > /tmp/.git",
    "echo a > /tmp/a/.npmrc",
    // What is written is code that another command runs.
    "echo a > /tmp/x.sh; bash /tmp/x.sh",
    "echo a > /tmp/x.js; node /tmp/x.js",
    "cd /tmp; echo a > x.js; node x.js",
    "echo a > ~/x.js; node $HOME/x.js",
    "echo a > ~/x.js; node ~/x.js",
    "echo a > /tmp/x.js; node --test /t*p",
    "echo a > /tmp/x.js; timeout 5 node /tmp/x.js",
  ])("is not let through where it can't be told that it is: %s", async (line) => {
    await using scratch = open();
    expect((await scratch.gate.explain({ tool: "run_command", input: { command: line } })).decision).toBe("deny");
  });

  it("does not follow a link of the workspace that leads to the machine's `/tmp`", async () => {
    await using scratch = open();
    symlinkSync(name, join(scratch.workspace, "link"));
    expect(codeOf(await scratch.run("echo a > link"))).toBe("DEFAULT_DENY");
  });

  it("is read from `/proc` without a rule", async () => {
    await using scratch = open();
    expect(printed(asKind(await scratch.run("cat /proc/cpuinfo"), "completed"))).toContain("processor");
  });
});

needs("bwrap", "prlimit")("commands that bash alone can read", () => {
  const open = () =>
    openRunningGate([{ id: "all", effect: "allow", dynamic: true, touch: { exec: ["**"], unknown: true } }] as never);

  it("run in the workspace where no program is known beforehand", async () => {
    await using scratch = open();
    expect(printed(asKind(await scratch.run("x=pwd; $x"), "completed"))).toBe(`${scratch.workspace}\n`);
  });

  it("keep `time` and `coproc`", async () => {
    await using scratch = open();
    expect(printed(asKind(await scratch.run("time /bin/echo a"), "completed"))).toMatch(/^a\n[\s\S]*real/);
    expect(printed(asKind(await scratch.run("coproc /bin/echo a"), "completed"))).toBe("");
  });
});
