import { execFileSync } from "node:child_process";
import fs, {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { expect, it } from "vitest";
import { Cursor } from "../../src/files/cursor.ts";
import { openQuarantine } from "../../src/files/quarantine.ts";
import { openScratch } from "./scratch.ts";

const stateOf = ({ workspace }: { readonly workspace: string }): string => join(workspace, "../state");

it("takes what a path names, and nothing that a link on the way leads to", () => {
  using scratch = openScratch();
  const { take } = openQuarantine(stateOf(scratch), Date.now);
  symlinkSync(scratch.outside, join(scratch.workspace, "link"));
  scratch.put("folder/.npmrc", "evil");
  expect(take(join(scratch.workspace, "link/secret.txt"))).toEqual({ kind: "gone" });
  expect(take(join(scratch.workspace, "nosuch/x"))).toEqual({ kind: "gone" });
  const taken = take(join(scratch.workspace, "folder/.npmrc"));
  expect(taken.kind === "moved" && readFileSync(taken.to, "utf8")).toBe("evil");
  expect(take(join(scratch.workspace, "link")).kind).toBe("moved");
  expect([scratch.names(), readdirSync(scratch.outside)]).toEqual([["folder"], ["secret.txt"]]);
});

it("stays in the folder that it has reached, although a program exchanges it with a link", () => {
  using scratch = openScratch();
  const folder = join(scratch.workspace, "folder");
  const path = scratch.put("folder/secret.txt", "evil");
  const real = fs.renameSync;
  // The program is quick: it gets its turn when everything was looked at, and nothing was moved.
  fs.renameSync = (...args: Parameters<typeof real>) => {
    fs.renameSync = real;
    syncBuiltinESMExports();
    renameSync(folder, `${folder}-moved`);
    symlinkSync(scratch.outside, folder);
    real(...args);
  };
  syncBuiltinESMExports();
  expect(openQuarantine(stateOf(scratch), Date.now).take(path).kind).toBe("moved");
  expect([readdirSync(scratch.outside), readdirSync(`${folder}-moved`)]).toEqual([["secret.txt"], []]);
});

it.runIf(existsSync("/dev/shm"))("loses nothing of a tree whose paths are longer than the kernel takes", () => {
  using scratch = openScratch();
  const stateDir = mkdtempSync("/dev/shm/toolgate-quarantine-");
  try {
    for (let n = 0; n < 20; n++) scratch.put(`.vscode/${n}`, "a user's own");
    using cursor = new Cursor();
    for (const name of join(scratch.workspace, ".vscode").split("/").slice(1)) cursor.enter(name);
    for (let depth = 0; depth < 20; depth++) {
      const name = "n".repeat(250);
      mkdirSync(cursor.at(name));
      cursor.enter(name);
    }
    writeFileSync(cursor.at("deepest"), "");
    const taken = openQuarantine(stateDir, Date.now).take(join(scratch.workspace, ".vscode"));
    if (taken.kind !== "moved") throw new Error(taken.kind);
    expect(readdirSync(taken.to)).toHaveLength(21);
    expect(existsSync(join(scratch.workspace, ".vscode"))).toBe(false);
  } finally {
    execFileSync("rm", ["-rf", stateDir]);
  }
});

it.runIf(existsSync("/dev/shm"))("takes things to another file system, with all that is in them", () => {
  using scratch = openScratch();
  const stateDir = mkdtempSync("/dev/shm/toolgate-quarantine-");
  try {
    scratch.put("a/.vscode/deep/tasks.json", "evil");
    symlinkSync("/nowhere", join(scratch.workspace, "a/.vscode/link"));
    const taken = openQuarantine(stateDir, Date.now).take(join(scratch.workspace, "a/.vscode"));
    expect(taken.kind === "moved" && readFileSync(join(taken.to, "deep/tasks.json"), "utf8")).toBe("evil");
    expect(readdirSync(join(scratch.workspace, "a"))).toEqual([]);
  } finally {
    rmSync(stateDir, { recursive: true });
  }
});
