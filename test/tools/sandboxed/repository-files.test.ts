import { chmodSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openTrees } from "../../../src/files/open-trees.ts";
import { isInertInRepository, ledToConfig } from "../../../src/tools/sandboxed/repository-files.ts";
import { openScratch, type Scratch } from "../../files/scratch.ts";

it.each([
  ["/w/.git", "file", "/w/.git/config"],
  ["/w/sub/.git", "file", "/w/sub/.git/config"],
  ["/w/.git", "directory", null],
  ["/w/x.git", "file", null],
  ["/w/.git/commondir", "file", "/w/.git/config"],
  ["/w/.git/commondir", "link", "/w/.git/config"],
  ["/w/.git/commondir", "directory", null],
  ["/w/.git/worktrees/x/commondir", "file", "/w/.git/config"],
  ["/w/.git/worktrees/commondir", "file", null],
  ["/w/.git/worktrees/x/config.worktree", "file", "/w/.git/config.worktree"],
  ["/w/.git/worktrees/x/y/config.worktree", "file", null],
  ["/w/worktrees/x/commondir", "file", null],
  ["/w/commondir", "file", null],
] as const)("%s, a %s, is judged as %s", (path, kind, config) => expect(ledToConfig(path, kind)).toBe(config));

const isInert = ({ workspace }: Scratch, path: string, kind: "file" | "directory" | "link" = "file"): boolean =>
  isInertInRepository({ path: join(workspace, path), kind }, openTrees(), (known) =>
    known.endsWith("/main/.git/config"),
  );

const CLONED = `[core]
\trepositoryformatversion = 0
\tfilemode = true
\tbare = false
\tlogallrefupdates = true
[remote "origin"]
\turl = https://example.com/a/b.git
\tfetch = +refs/heads/*:refs/remotes/origin/*
[branch "main"]
\tremote = origin
\tmerge = refs/heads/main
`;

it.each<[string, string, boolean]>([
  ["what git clone writes", CLONED, true],
  ["a remote by ssh", '[remote "a"]\n\turl = git@example.com:a/b.git\n', true],
  ["a hook folder", `${CLONED}[core]\n\thooksPath = /tmp/x\n`, false],
  ["a hook folder, written otherwise", "[core]\n hookspath=/tmp/x\n", false],
  ["a monitor", "[core]\n\tfsmonitor = /tmp/x\n", false],
  ["a program that fetches", '[remote "a"]\n\turl = ext::sh -c evil\n', false],
  ["a helper of another name", '[remote "a"]\n\turl = evil::x\n', false],
  ["an option for an address", '[remote "a"]\n\turl = --upload-pack=x\n', false],
  ["an upload program", '[remote "a"]\n\tuploadpack = x\n', false],
  ["an alias", "[alias]\n\tst = !evil\n", false],
  ["an include", "[include]\n\tpath = x\n", false],
  ["a line that goes on", "[core]\n\tbare = false\\\n\tfsmonitor = x\n", false],
  ["a setting on the section's line", "[core] fsmonitor = x\n", false],
  ["a setting before any section", "\tbare = false\n", false],
  ["a carriage return", "[core]\r\n\tfsmonitor = x\n", false],
  ["another folder for the files", "[core]\n\tworktree = /\n", false],
])("a new repository may have a configuration that names no program: %s", (_, text, expected) => {
  using scratch = openScratch();
  scratch.put("new/.git/config", text);
  expect(isInert(scratch, "new/.git/config")).toBe(expected);
});

it("a new repository may have git's samples of hooks, and no hooks", () => {
  using scratch = openScratch();
  for (const name of ["a", "b", "c"]) scratch.put(`${name}/.git/hooks/pre-commit.sample`);
  chmodSync(scratch.put("b/.git/hooks/pre-commit"), 0o755);
  symlinkSync("pre-commit.sample", join(scratch.workspace, "c/.git/hooks/post-commit"));
  const made = ["a", "b", "c"].map((name) => isInert(scratch, `${name}/.git/hooks`, "directory"));
  expect(made).toEqual([true, false, false]);
});

it("a new worktree may lead to a repository whose configuration is covered", () => {
  using scratch = openScratch();
  const gitDir = join(scratch.workspace, "main/.git");
  scratch.put("tree/.git", `gitdir: ${gitDir}/worktrees/tree\n`);
  scratch.put("main/.git/worktrees/tree/commondir", "../..\n");
  scratch.put("other/.git", `gitdir: ${join(scratch.workspace, "evil/.git")}/worktrees/tree\n`);
  scratch.put("relative/.git", "gitdir: ../main/.git/worktrees/tree\n");
  scratch.put("main/.git/worktrees/other/commondir", "../../../../evil\n");
  scratch.put("main/.git/commondir", "../..\n");
  scratch.put("main/.git/worktrees/tree/config.worktree", "");
  const paths = ["tree/.git", "main/.git/worktrees/tree/commondir"];
  expect(paths.map((path) => isInert(scratch, path))).toEqual([true, true]);
  const refused = [
    ...["other/.git", "relative/.git", "main/.git/worktrees/other/commondir", "main/.git/commondir"],
    "main/.git/worktrees/tree/config.worktree",
  ];
  expect(refused.filter((path) => isInert(scratch, path))).toEqual([]);
  expect(isInert(scratch, "tree/.git", "link")).toBe(false);
});
