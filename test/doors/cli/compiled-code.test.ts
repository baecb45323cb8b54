import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openScratch } from "../../files/scratch.ts";

const BIN = join(import.meta.dirname, "../../../bin/toolgate.js");

/** Runs a short command of a user whose home and temporary folder are these, and gives the folder for compiled code. */
function runAt(home: string, more: Readonly<Record<string, string>> = {}): string {
  const folder = join(home, ".local/state/toolgate/trusted-code");
  const env = { PATH: process.env["PATH"] ?? "", HOME: home, TMPDIR: join(home, "tmp"), ...more };
  const { status, stderr } = spawnSync(process.execPath, [BIN, "--version"], { env, encoding: "utf8" });
  expect([status, stderr]).toEqual([0, ""]);
  // Node's own folder is one that others may have made before.
  expect(existsSync(join(home, "tmp/node-compile-cache"))).toBe(false);
  return folder;
}

describe("compiled code", () => {
  it("is kept in a folder that is this user's alone", () => {
    using scratch = openScratch();
    mkdirSync(join(scratch.workspace, "tmp"));
    const folder = runAt(scratch.workspace);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(readdirSync(folder)).not.toEqual([]);
  });

  it("is kept where the user keeps state", () => {
    using scratch = openScratch();
    mkdirSync(join(scratch.workspace, "tmp"));
    const state = join(scratch.workspace, "elsewhere");
    expect(existsSync(runAt(scratch.workspace, { XDG_STATE_HOME: state }))).toBe(false);
    expect(readdirSync(join(state, "toolgate/trusted-code"))).not.toEqual([]);
  });

  it.each<[string, (folder: string) => void]>([
    ["where others may write", (folder) => chmodSync(folder, 0o777)],
    ["where a group may write", (folder) => chmodSync(folder, 0o770)],
  ])("is not looked for %s", (_, open) => {
    using scratch = openScratch();
    mkdirSync(join(scratch.workspace, "tmp"));
    const folder = join(scratch.workspace, ".local/state/toolgate/trusted-code");
    mkdirSync(folder, { recursive: true });
    open(folder);
    expect(readdirSync(runAt(scratch.workspace))).toEqual([]);
  });

  it("is not looked for behind a link, nor without a home", () => {
    using scratch = openScratch();
    mkdirSync(join(scratch.workspace, "tmp"));
    mkdirSync(join(scratch.workspace, "others"));
    mkdirSync(join(scratch.workspace, ".local/state/toolgate"), { recursive: true });
    symlinkSync(join(scratch.workspace, "others"), join(scratch.workspace, ".local/state/toolgate/trusted-code"));
    runAt(scratch.workspace);
    runAt(scratch.workspace, { HOME: "" });
    runAt(scratch.workspace, { HOME: "relative" });
    expect(readdirSync(join(scratch.workspace, "others"))).toEqual([]);
  });

  it.each([
    ["another name", "named-otherwise", false],
    ["the name that the rules know", "toolgate", true],
  ])("is looked for behind a link above it where that has %s: %s", (_, name, isKept) => {
    using scratch = openScratch();
    mkdirSync(join(scratch.workspace, "tmp"));
    const real = join(scratch.workspace, name);
    mkdirSync(real);
    mkdirSync(join(scratch.workspace, ".local/state"), { recursive: true });
    symlinkSync(real, join(scratch.workspace, ".local/state/toolgate"));
    expect(readdirSync(runAt(scratch.workspace)).length > 0).toBe(isKept);
  });
});
