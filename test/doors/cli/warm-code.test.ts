import { spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { openScratch } from "../../files/scratch.ts";
import { BUILT_PROGRAM } from "../../support/built-program.ts";

const EXPLAIN = ["explain", "read_file", '{"path":"toolgate.yaml"}'];

/** A user with a workspace, and the folder in which compiled code is kept for them. */
function openUser(program = BUILT_PROGRAM) {
  const scratch = openScratch();
  const folder = join(scratch.workspace, ".local/state/toolgate/trusted-code");
  const runOf =
    (path: string, more: Readonly<Record<string, string>> = {}) =>
    (...args: readonly string[]) => {
      const env = { PATH: process.env["PATH"] ?? "", HOME: scratch.workspace, ...more };
      return spawnSync(process.execPath, [path, ...args], { cwd: scratch.workspace, env, encoding: "utf8" });
    };
  const runIn = (more: Readonly<Record<string, string>>) => runOf(program, more);
  const run = runOf(program);
  expect(run("init").status).toBe(0);
  const files = () => readdirSync(folder).filter((name) => name.includes(".code"));
  const kept = () => files().map((name) => name.replace(/-[0-9a-f]{16}(?=\.code)/, ""));
  const codeOf = (command: string) =>
    files().flatMap((name) => (name.startsWith(`${command}-`) ? [join(folder, name)] : []));
  /** The one file for `explain`. */
  const explainCode = () => {
    const [path = "", ...others] = codeOf("explain");
    expect(others).toEqual([]);
    return path;
  };
  return {
    scratch,
    run,
    runIn,
    runOf,
    folder,
    kept,
    codeOf,
    explainCode,
    [Symbol.dispose]: () => scratch[Symbol.dispose](),
  };
}

describe("code that was compiled by an earlier run", () => {
  it("is kept by the first run of a command, for this user alone, and stays as it is", () => {
    using user = openUser();
    const first = user.run(...EXPLAIN);
    expect([first.status, first.stderr]).toEqual([0, ""]);
    expect(user.kept().sort()).toEqual(["explain.code", "init.code"]);
    const { ino, mode } = statSync(user.explainCode());
    expect(mode & 0o777).toBe(0o600);
    expect(user.run(...EXPLAIN).stdout).toBe(first.stdout);
    expect(statSync(user.explainCode()).ino).toBe(ino);
  });

  it.each<[string, (code: Buffer) => Buffer]>([
    ["its first byte is another", (code) => flipped(code, 0)],
    ["a byte of its code is another", (code) => flipped(code, code.length >> 1)],
    ["its last byte is another", (code) => flipped(code, code.length - 1)],
    ["it is cut", (code) => code.subarray(0, code.length - 1)],
    ["something stands behind it", (code) => Buffer.concat([code, Buffer.from("x")])],
    ["it is empty", () => Buffer.alloc(0)],
    ["it is none", () => Buffer.from("no code at all, and longer than a digest is")],
  ])("is not run where %s, but compiled anew and kept", (_, damaged) => {
    using user = openUser();
    const { stdout } = user.run(...EXPLAIN);
    const whole = readFileSync(user.explainCode());
    writeFileSync(user.explainCode(), damaged(whole));
    const before = statSync(user.explainCode()).ino;
    const again = user.run(...EXPLAIN);
    expect([again.status, again.stdout, again.stderr]).toEqual([0, stdout, ""]);
    expect(statSync(user.explainCode()).ino).not.toBe(before);
    expect(user.kept().sort()).toEqual(["explain.code", "init.code"]);
  });

  it("is kept beside that of another package", () => {
    using places = openScratch();
    const other = join(copyOfPackage(places.workspace), "bin/toolgate.js");
    using user = openUser();
    user.run(...EXPLAIN);
    const path = user.explainCode();
    const { ino } = statSync(path);
    expect(user.runOf(other)(...EXPLAIN).status).toBe(0);
    expect(user.codeOf("explain")).toHaveLength(2);
    expect(statSync(path).ino).toBe(ino);
  });

  it("is not run for another source of the same length", () => {
    using places = openScratch();
    const whole = copyOfPackage(places.workspace);
    using user = openUser(join(whole, "bin/toolgate.js"));
    const unknown = ["explain", "no_such_tool", "{}"];
    expect(user.run(...unknown).stdout).toContain("TOOL_UNKNOWN");
    const path = join(whole, "dist/cli/chunks/gate.code");
    const source = readFileSync(path, "latin1");
    writeFileSync(path, source.replaceAll("TOOL_UNKNOWN", "TOOL_STRANGE"), "latin1");
    expect(user.run(...unknown).stdout).toContain("TOOL_STRANGE");
  });

  it("takes no more room for words that are no command", () => {
    using user = openUser();
    for (const word of ["nonsense", "explai", "../explain", "--explain", "a\u0000b"]) user.run(...word.split("\0", 1));
    expect(user.kept().sort()).toEqual(["init.code", "other.code"]);
  });

  it.each<[string, readonly string[], number]>([
    ["only tells what it is for", ["explain", "--help"], 0],
    ["was not understood", ["explain"], 2],
    ["found no good config", [...EXPLAIN, "--config", "none.yaml"], 3],
  ])("is not a command's own where the run %s", (_, early, status) => {
    using user = openUser();
    expect(user.run(...early).status).toBe(status);
    expect(user.kept().sort()).toEqual(["init.code", "other.code"]);
    const [other = ""] = user.codeOf("other");
    expect(user.run(...EXPLAIN).status).toBe(0);
    expect(user.kept().sort()).toEqual(["explain.code", "init.code", "other.code"]);
    expect(statSync(user.explainCode()).size).toBeGreaterThan(statSync(other).size * 1.1);
    const { ino } = statSync(user.explainCode());
    user.run(...early);
    expect([statSync(user.explainCode()).ino, user.kept().length]).toEqual([ino, 3]);
  });

  it("is kept beside that for other flags of V8, and neither is written again", () => {
    using user = openUser();
    const runs = [user.run, user.runIn({ NODE_OPTIONS: "--interpreted-frames-native-stack" })];
    const first = runs.map((run) => run(...EXPLAIN).stdout);
    expect(first[1]).toBe(first[0]);
    const inodes = () => user.codeOf("explain").map((path) => statSync(path).ino);
    const before = inodes();
    expect(before).toHaveLength(2);
    expect(runs.map((run) => run(...EXPLAIN).stdout)).toEqual(first);
    expect(inodes()).toEqual(before);
  });

  it("is kept in the user's own folder where Node's own cache lies elsewhere", () => {
    using user = openUser();
    const elsewhere = join(user.scratch.workspace, "elsewhere");
    user.runIn({ NODE_COMPILE_CACHE: elsewhere })(...EXPLAIN);
    expect(user.kept().sort()).toEqual(["explain.code", "init.code"]);
    expect(
      readdirSync(elsewhere, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".code")),
    ).toEqual([]);
  });

  it("is not kept for who wants Node to keep none", () => {
    using user = openUser();
    expect(user.runIn({ NODE_DISABLE_COMPILE_CACHE: "1" })(...EXPLAIN).status).toBe(0);
    expect(user.kept()).toEqual(["init.code"]);
  });

  it("is neither kept nor run where others may write", () => {
    using user = openUser();
    user.run(...EXPLAIN);
    writeFileSync(user.explainCode(), "");
    chmodSync(user.folder, 0o770);
    expect(user.run(...EXPLAIN).status).toBe(0);
    expect(readFileSync(user.explainCode(), "utf8")).toBe("");
  });

  it("is done without where it can't be kept", () => {
    using user = openUser();
    user.run(...EXPLAIN);
    const path = user.explainCode();
    rmSync(path);
    mkdirSync(path);
    const { status, stderr } = user.run(...EXPLAIN);
    expect([status, stderr]).toEqual([0, ""]);
    expect(user.kept().sort()).toEqual(["explain.code", "init.code"]);
  });
});

function copyOfPackage(folder: string): string {
  const whole = join(folder, "package");
  cpSync(join(dirname(BUILT_PROGRAM), ".."), whole, { recursive: true });
  symlinkSync(fileURLToPath(new URL("../../../node_modules", import.meta.url)), join(whole, "node_modules"));
  return whole;
}

function flipped(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes);
  copy[at] = (copy[at] ?? 0) ^ 1;
  return copy;
}
