import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { loadConfig } from "../../src/config/config.ts";
import { digestOfText } from "../../src/domain/digest.ts";
import { factsFor } from "../rules/sample-facts.ts";
import { loaded, loadText, openScratch, problemsOf } from "./scratch.ts";

const MIB = 1024 * 1024;

describe("settings", () => {
  it("are the defaults where the file says nothing", () => {
    using scratch = openScratch();
    const path = scratch.put("toolgate.yaml", "{}");
    expect(loaded(loadConfig({ path }))).toMatchObject({
      path,
      text: "{}",
      textHash: digestOfText("{}"),
      workspace: scratch.folder,
      stateDir: join(scratch.folder, ".toolgate"),
      project: "default",
      builtin: ["files"],
      sandboxMinimum: "namespaces",
      durability: "full",
    });
  });

  it("are what the file says", () => {
    using scratch = openScratch();
    mkdirSync(join(scratch.folder, "ws"));
    const text =
      "workspace: ws\nstate: /var/x\ntools: {builtin: []}\nsandbox: {minimum: none}\nledger: {durability: normal}";
    expect(loaded(loadConfig({ path: scratch.put("toolgate.yaml", text) }))).toMatchObject({
      workspace: join(scratch.folder, "ws"),
      stateDir: "/var/x",
      builtin: [],
      sandboxMinimum: "none",
      durability: "normal",
    });
  });

  it("without a file allow nothing", () => {
    using scratch = openScratch();
    const config = loaded(loadConfig({ path: null, workspaceOverride: scratch.folder }));
    expect(config).toMatchObject({
      path: null,
      workspace: scratch.folder,
      stateDir: join(scratch.folder, ".toolgate"),
    });
    expect(config.rules.judge({ kind: "read", path: join(scratch.folder, "a") }, factsFor("read_file")).effect).toBe(
      "deny",
    );
    expect(loaded(loadConfig({ path: null })).workspace).toBe(process.cwd());
  });
});

describe("folders", () => {
  it("are relative to the config's own folder, with links followed", () => {
    using scratch = openScratch();
    scratch.put("real/ws/a");
    symlinkSync("real", join(scratch.folder, "link"));
    symlinkSync("../elsewhere", join(scratch.folder, "real", "state"));
    mkdirSync(join(scratch.folder, "elsewhere"));
    scratch.put("real/toolgate.yaml", "workspace: ws\nstate: state/deep");
    expect(loaded(loadConfig({ path: join(scratch.folder, "link", "toolgate.yaml") }))).toMatchObject({
      path: join(scratch.folder, "real", "toolgate.yaml"),
      workspace: join(scratch.folder, "real", "ws"),
      stateDir: join(scratch.folder, "elsewhere", "deep"),
    });
  });

  it("refuse a state folder that is a link to nowhere, which would lead somewhere later", () => {
    using scratch = openScratch();
    symlinkSync("nowhere", join(scratch.folder, "state"));
    const path = scratch.put("toolgate.yaml", "state: state");
    expect(problemsOf(loadConfig({ path }))).toEqual(["1:8 the state folder `state` can't be reached (ENOENT)"]);
  });

  it("can be overridden for the workspace", () => {
    using scratch = openScratch();
    scratch.put("other/a");
    const path = scratch.put("toolgate.yaml", "workspace: .");
    const other = join(scratch.folder, "other");
    expect(loaded(loadConfig({ path, workspaceOverride: other })).workspace).toBe(other);
    expect(problemsOf(loadConfig({ path, workspaceOverride: join(other, "a") }))[0]).toMatch(/is not a folder/);
  });
});

describe("files that are no config", () => {
  const problem = (message: string) => [expect.objectContaining({ line: 1, column: 1, message })];

  it("missing", () => {
    const result = loadConfig({ path: "/nowhere/toolgate.yaml" });
    expect(result.ok || result.problems).toEqual([
      { file: "/nowhere/toolgate.yaml", line: 1, column: 1, message: "there is no such file" },
    ]);
  });

  it("a folder, a pipe, a circle of links", () => {
    using scratch = openScratch();
    const folder = loadConfig({ path: scratch.folder });
    expect(folder.ok || folder.problems).toEqual(problem("this is not a regular file"));

    execFileSync("mkfifo", [join(scratch.folder, "pipe")]);
    const pipe = loadConfig({ path: join(scratch.folder, "pipe") });
    expect(pipe.ok || pipe.problems).toEqual(problem("this is not a regular file"));

    symlinkSync("loop", join(scratch.folder, "loop"));
    const loop = loadConfig({ path: join(scratch.folder, "loop") });
    expect(loop.ok || loop.problems).toEqual(problem("its links lead in a circle"));
  });

  it("a name that no file can have", () => {
    const result = loadConfig({ path: "a\0b" });
    expect(result.ok || result.problems).toEqual(problem("the file can't be opened (ERR_INVALID_ARG_VALUE)"));
  });

  it.skipIf(process.getuid?.() === 0)("closed to this user", () => {
    using scratch = openScratch();
    const path = scratch.put("toolgate.yaml", "{}");
    chmodSync(path, 0);
    const result = loadConfig({ path });
    expect(result.ok || result.problems).toEqual(problem("this user may not read the file"));
  });

  it("larger than a mebibyte by one byte", () => {
    expect(problemsOf(loadText(`{} #${"x".repeat(MIB - 4)}`))).toEqual([]);
    expect(problemsOf(loadText(`{} #${"x".repeat(MIB - 3)}`))).toEqual([
      "1:1 the file has 1048577 bytes, at most 1048576 are read",
    ]);
  });

  it("not UTF-8", () =>
    expect(problemsOf(loadText(Uint8Array.of(0x61, 0xff)))).toEqual([
      "1:1 the file is not UTF-8 text (save it in the encoding UTF-8)",
    ]));

  it("with a byte order mark are read like any other", () =>
    expect(problemsOf(loadText("\ufeffrules: []"))).toEqual([]));
});

it("the same text gives the same rules hash in every workspace, another text another", () => {
  const [first, second, third] = ["rules: []", "rules: []", "rules: [{id: a, effect: deny}]"].map((text) =>
    loaded(loadText(text)),
  );
  expect(first?.workspace).not.toBe(second?.workspace);
  expect(first?.rules.hash).toBe(second?.rules.hash);
  expect(first?.rules.hash).not.toBe(third?.rules.hash);
});
