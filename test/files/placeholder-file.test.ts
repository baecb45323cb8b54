import { execFileSync } from "node:child_process";
import fs, {
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { openTrees } from "../../src/files/open-trees.ts";
import type { Placeholder } from "../../src/ports/trees.ts";
import { openScratch } from "./scratch.ts";

const trees = openTrees();

function openRepository() {
  const scratch = openScratch();
  scratch.put(".git/HEAD");
  const path = join(scratch.workspace, ".git/commondir");
  return Object.assign(scratch, { path, names: () => readdirSync(join(scratch.workspace, ".git")).sort() });
}

function placedAt(path: string): Placeholder & { readonly claims: string } {
  const placed = trees.place(path);
  if (placed?.claims === undefined) throw new Error("no file was placed");
  return { ...placed, claims: placed.claims };
}

it("says that the repository is where it is, until the last who needs it has gone", () => {
  using scratch = openRepository();
  const [first, second] = [placedAt(scratch.path), placedAt(scratch.path)];
  expect(scratch.text(".git/commondir")).toBe(".\n");
  trees.unplace(first);
  expect(scratch.text(".git/commondir")).toBe(".\n");
  trees.unplace(second);
  trees.unplace(second);
  expect(scratch.names()).toEqual(["HEAD"]);
});

it.each(["../other\n", "", ".."])("takes the place of nothing that says something else: %j", (theirs) => {
  using scratch = openRepository();
  writeFileSync(scratch.path, theirs);
  expect(trees.place(scratch.path)).toBeNull();
  expect([scratch.text(".git/commondir"), scratch.names()]).toEqual([theirs, ["HEAD", "commondir"]]);
});

it.each(["", "worktrees/x/"])("says nothing of the settings of a worktree either: `%s`", (below) => {
  using scratch = openRepository();
  const beside = scratch.put(`.git/${below}gitdir`);
  const path = beside.replace(/gitdir$/, "config.worktree");
  const placed = placedAt(path);
  expect(scratch.text(`.git/${below}config.worktree`)).toMatch(/^#.*\n$/);
  trees.unplace(placed);
  expect(existsSync(path)).toBe(false);
  // A gate of before put a folder there, and was killed.
  mkdirSync(`${path}/.toolgate-1-4194305-1-1`, { recursive: true });
  utimesSync(`${path}/.toolgate-1-4194305-1-1`, 0, 0);
  trees.unplace(trees.place(path) as Placeholder);
  expect(existsSync(path)).toBe(false);
});

it("is not relied on while another one takes it away", () => {
  using scratch = openRepository();
  const { claim } = placedAt(scratch.path);
  mkdirSync(`${claim}-leaving`);
  expect(() => trees.place(scratch.path)).toThrow("is being taken away");
});

it("is waited for no longer than somebody may take to leave: a program may have made that up", () => {
  using scratch = openRepository();
  const { claim } = placedAt(scratch.path);
  // What is not empty is no claim of ours, and can't be taken away.
  mkdirSync(`${claim}-leaving/x`, { recursive: true });
  using now = vi.spyOn(Date, "now").mockReturnValue(Date.now() + 9_000);
  expect(() => trees.place(scratch.path)).toThrow("is being taken away");
  now.mockReturnValue(Date.now() + 2_000);
  const placed = placedAt(scratch.path);
  trees.unplace(placed);
  expect(scratch.text(".git/commondir")).toBe(".\n");
});

it("is not looked for behind a link, nor in a pipe, which nobody may ever write to", () => {
  using scratch = openRepository();
  execFileSync("mkfifo", [join(scratch.workspace, ".git/pp")]);
  symlinkSync("pp", scratch.path); // as long as the text
  expect(trees.place(scratch.path)).toBeNull();
  rmSync(scratch.path);
  renameSync(join(scratch.workspace, ".git/pp"), scratch.path);
  expect(trees.place(scratch.path)).toBeNull();
  expect(scratch.names()).toEqual(["HEAD", "commondir"]);
});

it("is taken away by nobody while another one claims it", () => {
  using scratch = openRepository();
  const { claim, claims, ...placed } = placedAt(scratch.path);
  const other = claim.replace(/\d+$/, "77777");
  mkdirSync(other);
  trees.unplace({ ...placed, claim, claims });
  expect([scratch.text(".git/commondir"), readdirSync(claims)]).toEqual([".\n", [other.slice(claims.length + 1)]]);
});

it.each(["", "-leaving"])("of a process that was killed goes with the next who needs it: `%s`", (end) => {
  using scratch = openRepository();
  const { claim, claims } = placedAt(scratch.path);
  const [, namespace] = claim.slice(claims.length).split("-");
  mkdirSync(`${claims}/.toolgate-${namespace}-4194305-1-1${end}`);
  trees.unplace(placedAt(scratch.path));
  expect(readdirSync(claims)).toEqual([claim.slice(claims.length + 1)]);
});

it("that nobody claims any more goes with the next who needs it", () => {
  using scratch = openRepository();
  writeFileSync(scratch.path, ".\n");
  trees.unplace(placedAt(scratch.path));
  expect(scratch.names()).toEqual(["HEAD"]);
});

it("of a process that was killed while it put it there goes, too", () => {
  using scratch = openRepository();
  const { claim, claims, ...placed } = placedAt(scratch.path);
  const [, namespace] = claim.slice(claims.length).split("-");
  scratch.put(`.git/.toolgate-commondir/.toolgate-${namespace}-4194305-1-1/draft`, ".\n");
  const next = placedAt(scratch.path);
  trees.unplace({ ...placed, claim, claims });
  trees.unplace(next);
  expect(scratch.names()).toEqual(["HEAD"]);
});

/** A program that watches the folder, and is quick: it gets its turn when the claim is there, and the file not yet. */
function beside(program: (claim: string) => void): Disposable {
  const real = fs.renameSync;
  const restore = () => {
    fs.renameSync = real;
    syncBuiltinESMExports();
  };
  fs.renameSync = (from, to) => {
    real(from, to);
    program(join(String(to), readdirSync(to)[0] ?? ""));
  };
  syncBuiltinESMExports();
  return { [Symbol.dispose]: restore };
}

it("is written into no file that a program has put a link to", () => {
  using scratch = openRepository();
  const theirs = scratch.put("theirs", "precious");
  using _program = beside((claim) => symlinkSync(theirs, `${claim}/draft`));
  expect(trees.place(scratch.path)).toBeNull();
  expect(scratch.text("theirs")).toBe("precious");
});

it("takes nothing from a folder that a program has put a link to where the claim was", () => {
  using scratch = openRepository();
  scratch.put("theirs/draft", "precious");
  using _program = beside((claim) => {
    rmdirSync(claim);
    symlinkSync(join(scratch.workspace, "theirs"), claim);
  });
  expect(trees.place(scratch.path)).toBeNull();
  expect(scratch.text("theirs/draft")).toBe("precious");
});
