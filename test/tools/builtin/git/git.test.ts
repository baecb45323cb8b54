import { execFileSync } from "node:child_process";
import { chmodSync, cpSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";
import { GIT_OPERATIONS } from "../../../../src/domain/git-operations.ts";
import { gitArguments } from "../../../../src/tools/builtin/git/git-arguments.ts";
import { readRepositoryConfig } from "../../../../src/tools/builtin/git/repository-config.ts";
import { needs } from "../../../support/parts.ts";
import { openRunningGate, printed, type RunningGate } from "../../../support/running-gate.ts";
import { codeOf } from "../../../support/scratch-gate.ts";

const gitIn =
  ({ workspace }: RunningGate) =>
  (...args: string[]) =>
    execFileSync("git", ["-C", workspace, "-c", "user.name=Ann", "-c", "user.email=a@b.c", ...args]);

function repository(scratch: RunningGate): void {
  const git = gitIn(scratch);
  scratch.put("a.txt", "one\n");
  git("init", "-q");
  git("add", ".");
  git("commit", "-qm", "first");
}

/** On a branch `topic` one file, and on `side`, where it is left, another. */
function branches(scratch: RunningGate, onTopic: string, onSide: string): void {
  const git = gitIn(scratch);
  repository(scratch);
  for (const [branch, name] of [
    ["side", onSide],
    ["topic", onTopic],
  ] as const) {
    git("checkout", "-qb", branch, ...(branch === "topic" ? ["side~1"] : []));
    scratch.put(name, `${branch}\n`);
    git("add", ".");
    git("commit", "-qm", branch);
  }
  git("checkout", "-q", "side");
}

const call = (scratch: RunningGate, operation: string, ...args: string[]) =>
  scratch.gate.call({ tool: "git", input: { operation, args } });

describe("arguments", () => {
  it.each<[string, ...string[]]>([
    ["DIFF", "--stat", "HEAD~1..HEAD"],
    ["DIFF", "--cached", "--", "-x", "../y"],
    ["LOG", "-n5", "--oneline"],
    ["LOG", "-n", "5"],
    ["COMMIT", "-m", "a message; $(touch C)"],
    ["CHECKOUT", "-b", "topic"],
    ["CLONE", "https://example.com/x.git", "dir"],
    ["STASH", "pop"],
    ["REMOTE", "-v"],
    ["MERGE", "--abort"],
    ["ADD", "src/a b.ts"],
    ["STATUS"],
  ])("%s %j %j", (operation, ...args) =>
    expect(
      gitArguments(
        operation as "DIFF",
        args.filter((arg) => arg !== undefined),
      ),
    ).toMatchObject({ ok: true }),
  );

  it.each<[string, ...string[]]>([
    ["DIFF", "--ext-diff"],
    ["DIFF", "--output=/tmp/x"],
    ["LOG", "--textconv"],
    ["CLONE", "--upload-pack=touch C", "x"],
    ["CLONE", "-u", "touch C"],
    ["CLONE", "ext::sh -c touch"],
    ["CLONE", "git@host:x"],
    ["CLONE", "ssh://host/x"],
    ["FETCH", "--upload-pack=x"],
    ["PUSH", "--receive-pack=x"],
    ["PUSH", "origin", "a:b"],
    ["COMMIT", "-m"],
    ["COMMIT", "-m", "--amend"],
    ["COMMIT", "-F", "/etc/passwd"],
    ["BRANCH", "--edit-description"],
    ["BRANCH", "a..b"],
    ["TAG", "x.lock"],
    ["REBASE", "--exec", "touch C"],
    ["REBASE", "-i"],
    ["REBASE", "--continue"],
    ["REBASE", "--skip"],
    ["REBASE", "--abort", "main"],
    ["MERGE", "main", "--abort"],
    ["CHECKOUT", "-c", "x"],
    ["STASH", "evil"],
    ["SHOW", "HEAD:*"],
    ["REMOTE", "add", "x", "ext::sh"],
  ])("not %s %j %j (A08)", (operation, ...args) =>
    expect(
      gitArguments(
        operation as "DIFF",
        args.filter((arg) => arg !== undefined),
      ),
    ).toMatchObject({ ok: false }),
  );
});

it("what is pushed to runs no hook for any event of receiving", () => {
  const { words } = gitArguments("PUSH", []) as { readonly words: readonly string[] };
  for (const event of ["pre-receive", "update", "post-receive", "post-update", "reference-transaction"])
    expect(words.join(" ")).toContain(`-c 'hook.${event}.enabled=false'`);
});

it("what a repository's configuration would run is taken back", () => {
  const text =
    '[filter "evil"]\n\tclean = touch C\n[merge "m"]\n\tdriver = x\n[remote "origin"]\n\turl = https://h/x\n';
  const { overrides, remotes, problem } = readRepositoryConfig(text);
  expect(overrides).toContain("filter.evil.clean=");
  expect(overrides).toContain("merge.m.driver=false");
  expect([remotes.addressesOf("origin", "fetch"), problem]).toEqual([["https://h/x"], null]);
});

it.each<[string, string[], string | undefined]>([
  ["[filter.Evil]\n clean = x", ["filter.evil.clean="], undefined],
  ['[core] [filter "evil"] clean = x', ["filter.evil.clean="], undefined],
  ['[filter.a "B"]\n clean = x', ["filter.a.B.clean="], undefined],
  ['[remote "origin"] url = https://h/x  ', [], "https://h/x"],
  ["[remote.origin]\n\turl = https://h/x", [], "https://h/x"],
  ['[hook "Lint"]\n event = pre-commit\n command = x', ["hook.Lint.enabled=false"], undefined],
  ["[hook.Lint]\n command = x", ["hook.lint.enabled=false"], undefined],
  ['[merge ""]\n driver = x', ["merge..driver=false"], undefined],
  ['[remote "origin"]\n\turl = x \\\n', [], "x "],
  ['[remote "origin"]\n\turl = x "" ', [], "x "],
  ['[filter "a\\\u2028"]\n clean = x', ["filter.a\u2028.clean="], undefined],
  ['[remote "origin"]\n\turl = "https://h/x" ; a comment', [], "https://h/x"],
  ['[remote "origin"]\n\turl = https://"h"/x#y', [], "https://h/x"],
  ['[remote "origin"]\n\turl = "https://h/x#y;z"', [], "https://h/x#y;z"],
  ['[remote "origin"]\n\turl = \\"x\\\\\\ty', [], '"x\\\ty'],
  ['[remote "origin"]\n\turl = \\\n https://h/x', [], "https://h/x"],
  ['[remote "origin"]\n\tx = \\\n[core]\n\turl = https://h/x', [], "https://h/x"],
  ['[core]\n\tx = a # \\\n[remote "origin"]\n\turl = https://h/x', [], "https://h/x"],
  ['[core]\n\tx = "a\\\n[remote \\"o\\"]"\n[remote "origin"]\r\n\turl = https://h/x\r\n', [], "https://h/x"],
  ['[remote "origin"]\n\tURL = https://h/x\u00a0', [], "https://h/x\u00a0"],
  [`[remote "origin"]\n\turl = https://h/${" ".repeat(100_000)}x`, [], `https://h/${" ".repeat(100_000)}x`],
])("however it is written: %#", (text, taken, origin) => {
  const { overrides, remotes, problem } = readRepositoryConfig(text);
  for (const one of taken) expect(overrides).toContain(one);
  expect([remotes.addressesOf("origin", "fetch"), problem]).toEqual([[origin ?? "origin"], null]);
});

it.each([
  "[include]\n path = x",
  '[includeIf "gitdir:x"]\n path = x',
  '[remote "o"]\n uploadpack = x',
  '[url "x"]\n insteadOf = y',
  '[filter "a=b"]\n clean = x',
  '[hook "a=b"]\n command = x',
  '[filter "a\\\r"]\n clean = x',
  `[filter "${Buffer.from([0xff])}"]\n clean = x`,
  `[merge "${Buffer.from([0xff])}"]\n driver = x`,
  "[include.x]\n path = y",
  '[core] [url "x"] insteadOf = y',
  '[remote "o"] vcs = x',
  '[remote "o"]\n url = https://other/\0@h/x',
  "[fetch]\n bundleURI = https://h/x",
  '[remote "o"]\n url = "https://h/x',
  '[remote "o"]\n url = \\x',
  "[remote 'o']\n url = x",
  `[remote "o"]\n url = ${Buffer.from([0xff])}`,
  `[branch "b"]\n remote = ${Buffer.from([0xff])}`,
])("a configuration that nobody can tell: %j", (text) => expect(readRepositoryConfig(text).problem).not.toBeNull());

it.each<[config: string, given: string | null, fetched: string[], pushed: string[]]>([
  ['[remote "o"]\n url = f\n pushurl = p', "o", ["f"], ["p"]],
  ['[remote "o"]\n url = f\n url = g', "o", ["f", "g"], ["f", "g"]],
  ['[remote "o"]\n url = f\n pushurl = p\n pushurl = q', "o", ["f"], ["p", "q"]],
  ['[remote "o"]\n url = f\n pushurl = p\n pushurl =', "o", ["f"], ["f", "p"]],
  ['[remote "o"]\n pushurl = p', "o", ["o"], ["p"]],
  ['[remote "o"]\n url = f', "../x", ["../x"], ["../x"]],
  ['[remote "o"]\n url = f\n[remote "p"]\n url = g', null, ["f", "g", "origin"], ["f", "g", "origin"]],
  ['[branch "b"]\n remote = x\n pushRemote = y', null, ["origin", "x", "y"], ["origin", "x", "y"]],
  ["[remote]\n pushDefault = x", null, ["origin", "x"], ["origin", "x"]],
  ['[remotes]\n Both = o x\n[remote "o"]\n url = f', "both", ["both", "f", "x"], ["both", "f", "x"]],
])("reaches all that %j names for %j", (config, given, fetched, pushed) => {
  const { remotes, problem } = readRepositoryConfig(config);
  const addresses = (way: "fetch" | "push") => remotes.meant(given).flatMap((name) => remotes.addressesOf(name, way));
  expect([problem, addresses("fetch"), addresses("push")]).toEqual([null, fetched, pushed]);
});

needs(
  "bwrap",
  "prlimit",
  "git",
)("git", () => {
  it("has the operations of the seed, and rules name them", async () => {
    expect(GIT_OPERATIONS).toHaveLength(18);
    await using scratch = openRunningGate([
      { id: "look", effect: "allow", touch: { git: ["DIFF", "STATUS", "LOG"] } },
      { id: "no-push", effect: "deny", touch: { git: ["PUSH"], connect: ["*:*"] } },
    ]);
    repository(scratch);
    scratch.put("a.txt", "two\n");
    expect(printed(await call(scratch, "DIFF"))).toContain("+two");
    expect(printed(await call(scratch, "STATUS", "--short"))).toContain(" M a.txt");
    expect([codeOf(await call(scratch, "PUSH")), codeOf(await call(scratch, "COMMIT", "-m", "x"))]).toEqual([
      "RULE_DENY",
      "DEFAULT_DENY",
    ]);
  });

  it.each([
    ["https://good.example/x.git", "connect good.example 443"],
    ["https://good.example\\@evil.example/x.git", "unknown"],
    ["https://good.example@evil.example/x.git", "unknown"],
    ["git@good.example:x.git", "connect good.example 22"],
    ["ssh://git@good.example/x.git", "connect good.example 22"],
    ["ext::sh -c x", "unknown"],
    ["a@b@good.example:x.git", "unknown"],
  ])("reaches where the remote %s leads, if every reader sees the same host", async (url, expected) => {
    await using scratch = openRunningGate();
    repository(scratch);
    scratch.put(
      ".git/config",
      `${scratch.text(".git/config")}[remote "origin"]\n\turl = ${url.replace("\\", "\\\\")}\n`,
    );
    const { touches } = await scratch.gate.explain({ tool: "git", input: { operation: "FETCH", args: ["origin"] } });
    const shown = touches.map((touch) =>
      touch.kind === "connect" ? `connect ${touch["host"]} ${touch["port"]}` : touch.kind,
    );
    expect(shown).toContain(expected);
    if (expected === "unknown") expect(shown.join()).not.toContain("connect");
  });

  it.each<[what: string, operation: string, args: string[], config: string, expected: string[]]>([
    ["a quoted address", "FETCH", ["origin"], '[remote "origin"]\n url = "https://a.example/x" # c', ["a.example"]],
    [
      "another for pushing",
      "PUSH",
      ["origin"],
      '[remote "origin"]\n url = x\n pushurl = https://b.example/x',
      ["b.example"],
    ],
    ["one of a branch", "PULL", [], '[branch "main"]\n remote = https://c.example/x', ["c.example"]],
    ["one in an old file", "FETCH", ["old"], "", ["unknown"]],
    ["none in an old file", "FETCH", ["old"], '[remote "old"]\n url = https://d.example/x', ["d.example"]],
    ["a path from the top of the tree", "FETCH", ["origin"], '[remote "origin"]\n url = ../beside', ["beside"]],
  ])("reaches where it is told to in git's own words: %s", async (_, operation, args, config, expected) => {
    await using scratch = openRunningGate();
    repository(scratch);
    scratch.put(".git/config", `${scratch.text(".git/config")}${config}\n`);
    scratch.put(".git/remotes/old", "URL: https://e.example/x\n");
    scratch.put("sub/b.txt", "b");
    const { touches } = await scratch.gate.explain({ tool: "git", input: { operation, args, cwd: "sub" } });
    const shown = (touches as readonly Record<string, unknown>[])
      .slice(1)
      .map((touch) => touch["host"] ?? basename(String(touch["path"] ?? touch["kind"])));
    expect(shown).toEqual(expected);
  });

  it("works where it may write, and runs nothing that the repository brings along", async () => {
    await using scratch = openRunningGate();
    repository(scratch);
    const planted = join(scratch.workspace, "planted");
    for (const hook of ["pre-commit", "post-commit", "post-checkout", "commit-msg"])
      chmodSync(scratch.put(`.git/hooks/${hook}`, `#!/bin/sh\ntouch '${planted}'\n`), 0o755);
    const config = scratch.text(".git/config");
    scratch.put(
      ".git/config",
      `${config}[core]\n\tfsmonitor = touch '${planted}'\n\tpager = touch '${planted}'\n\teditor = touch '${planted}'\n[filter "f"]\n\tclean = touch '${planted}'\n\tsmudge = touch '${planted}'\n[diff "d"]\n\tcommand = touch '${planted}'\n\ttextconv = touch '${planted}'\n[alias]\n\tstatus = !touch '${planted}'\n[commit]\n\tverbose = true\n[hook "h"]\n\tevent = pre-commit\n\tevent = post-checkout\n\tcommand = touch '${planted}'\n`,
    );
    scratch.put(".gitattributes", "* filter=f diff=d\n");
    scratch.put("a.txt", "two\n");
    const done = [
      ["ADD", "-A"],
      ["COMMIT", "-m", "second"],
      ["COMMIT", "--amend"],
      ["DIFF", "HEAD~1"],
      ["LOG", "--patch"],
      ["SHOW", "HEAD"],
      ["CHECKOUT", "-b", "topic"],
      ["BRANCH"],
      ["STATUS"],
      ["TAG", "v1"],
      ["STASH", "list"],
      ["RESET", "--hard", "HEAD~1"],
      ["MERGE", "v1"],
      ["REMOTE", "-v"],
    ] as const;
    for (const [operation, ...args] of done) {
      const outcome = await call(scratch, operation, ...args);
      expect([operation, codeOf(outcome), codeOf(outcome) === "completed" ? "" : JSON.stringify(outcome)]).toEqual([
        operation,
        "completed",
        "",
      ]);
    }
    expect(existsSync(planted)).toBe(false);
  });

  it("takes back a merge and a rebase that stand still", async () => {
    await using scratch = openRunningGate();
    branches(scratch, "a.txt", "a.txt");
    for (const operation of ["MERGE", "REBASE"]) {
      expect(codeOf(await call(scratch, operation, "topic"))).toBe("TOOL_FAILED");
      expect(scratch.text("a.txt")).toContain("<<<<");
      expect(codeOf(await call(scratch, operation, "--abort"))).toBe("completed");
      expect(scratch.text("a.txt")).toBe("side\n");
    }
  });

  it.each([
    ["REBASE", "topic"],
    ["PULL", "--rebase"],
  ])("runs no step that the configuration puts into a rebase: %s %s", async (...args) => {
    await using scratch = openRunningGate();
    branches(scratch, "b.txt", "c.txt");
    const planted = join(scratch.workspace, "planted");
    const evil = `[rebase]\n\tinstructionFormat = "%s%nexec touch '${planted}'"\n`;
    const upstream = '[remote "origin"]\n\turl = .\n[branch "side"]\n\tremote = origin\n\tmerge = refs/heads/topic\n';
    scratch.put(".git/config", `${scratch.text(".git/config")}${evil}${upstream}`);
    expect(codeOf(await call(scratch, ...args))).toBe("completed");
    expect([existsSync(join(scratch.workspace, "b.txt")), existsSync(planted)]).toEqual([true, false]);
  });

  it("obeys no folder that was made up to look like a repository", async () => {
    await using scratch = openRunningGate();
    const planted = join(scratch.workspace, "planted");
    const config = `[core]\n\tworktree = ${scratch.workspace}\n\tfsmonitor = touch '${planted}'\n[filter "f"]\n\tclean = touch '${planted}'\n`;
    for (const [name, content] of [
      ["HEAD", "ref: refs/heads/main\n"],
      ["config", config],
      ["objects/x", ""],
      ["refs/x", ""],
      ["deep/er/a.txt", "* filter=f"],
      [".gitattributes", "* filter=f"],
    ])
      scratch.put(`made/${name}`, content);
    for (const cwd of ["made", "made/deep/er"]) {
      for (const operation of ["STATUS", "ADD", "DIFF"]) {
        const args = operation === "ADD" ? ["-A"] : [];
        expect(codeOf(await scratch.gate.call({ tool: "git", input: { operation, args, cwd } }))).toBe("TOOL_FAILED");
      }
      for (const command of ["git status", "env -i git status", "git add -A"]) {
        const outcome = await scratch.gate.call({ tool: "run_command", input: { command, cwd } });
        expect([command, printed(outcome)]).toEqual([command, expect.stringContaining("cannot use bare repository")]);
      }
      // What is unset there is what keeps git from it, so such a command needs a rule of its own.
      const unset = { command: "env -u GIT_CONFIG_SYSTEM git add -A", cwd };
      expect(await scratch.gate.call({ tool: "run_command", input: unset })).toMatchObject({
        kind: "refused",
        refusal: { code: "DEFAULT_DENY" },
      });
    }
    expect(existsSync(planted)).toBe(false);
  });

  it.each([".git", ".git/modules/x", "sub/.git/worktrees/x"])(
    "is not run in %s, which may have settings of its own",
    async (cwd) => {
      await using scratch = openRunningGate();
      repository(scratch);
      scratch.put(`${cwd}/config`, "");
      expect(codeOf(await scratch.gate.call({ tool: "git", input: { operation: "STATUS", cwd } }))).toBe(
        "INVALID_ARGUMENTS",
      );
    },
  );

  it("clones one without a tree, and takes it as a remote", async () => {
    await using scratch = openRunningGate();
    repository(scratch);
    expect(codeOf(await call(scratch, "CLONE", "--bare", ".", "all.git"))).toBe("completed");
    expect(codeOf(await call(scratch, "CLONE", "all.git", "again"))).toBe("completed");
    expect(printed(await scratch.run("cd again && git fetch && git log --format=%s"))).toContain("first");
  });

  it("reads the configuration of a submodule and of a second tree where their `.git` leads", async () => {
    await using scratch = openRunningGate();
    repository(scratch);
    const planted = join(scratch.workspace, "planted");
    execFileSync("git", ["-C", scratch.workspace, "worktree", "add", "-q", "tree"]);
    const evil = `[filter "f"]\n\tclean = touch '${planted}'\n[extensions]\n\tworktreeConfig = true\n`;
    scratch.put(".git/config", `${scratch.text(".git/config")}${evil}`);
    scratch.put(".git/worktrees/tree/config.worktree", `[filter "g"]\n\tclean = touch '${planted}'\n`);
    scratch.put("tree/.gitattributes", "*.txt filter=f\n*.md filter=g\n");
    scratch.put("tree/b.txt", "b");
    scratch.put("tree/b.md", "b");
    const input = { operation: "ADD", args: ["-A"], cwd: "tree" };
    expect(codeOf(await scratch.gate.call({ tool: "git", input }))).toBe("completed");
    expect(existsSync(planted)).toBe(false);
    scratch.put("sub/.git", "nonsense");
    const nowhere = { operation: "STATUS", cwd: "sub" };
    expect(codeOf(await scratch.gate.call({ tool: "git", input: nowhere }))).toBe("INVALID_ARGUMENTS");
  });

  it("reads the configuration where a repository says that the rest of it is", async () => {
    await using scratch = openRunningGate();
    repository(scratch);
    const planted = join(scratch.workspace, "planted");
    cpSync(join(scratch.workspace, ".git"), join(scratch.workspace, "elsewhere"), { recursive: true });
    scratch.put("elsewhere/config", `[filter "f"]\n\tclean = touch '${planted}'\n`);
    scratch.put(".gitattributes", "*.txt filter=f\n");
    scratch.put("a.txt", "two\n");
    scratch.put(".git/commondir", "../elsewhere\n");
    expect(codeOf(await call(scratch, "ADD", "a.txt"))).toBe("completed");
    expect(existsSync(planted)).toBe(false);
    scratch.put(".git/commondir", "../else\nwhere\n");
    expect(codeOf(await call(scratch, "ADD", "a.txt"))).toBe("INVALID_ARGUMENTS");
  });

  it.each([
    ["a name that goes on in the next line", "gitdir: ../.git\nx\n", "INVALID_ARGUMENTS"],
    ["bytes that are no UTF-8", Buffer.from([...Buffer.from("gitdir: ../.git"), 0xff]), "INVALID_ARGUMENTS"],
    ["a line that ends as on Windows", "gitdir: ../.git\r\n", "completed"],
    ["no end of the line", "gitdir: ../.git", "completed"],
  ])("of a `.git` with %s", async (_, content, code) => {
    await using scratch = openRunningGate();
    repository(scratch);
    mkdirSync(join(scratch.workspace, "sub"));
    writeFileSync(join(scratch.workspace, "sub/.git"), content);
    expect(codeOf(await scratch.gate.call({ tool: "git", input: { operation: "STATUS", cwd: "sub" } }))).toBe(code);
  });

  it.each([
    ["sub", "TOOL_FAILED"],
    ["a:b", "TOOL_FAILED"],
    ["a:b/sub", "INVALID_ARGUMENTS"],
  ])("does not go on from a `.git` in %s that is none to one above, which nobody has read", async (folder, code) => {
    await using scratch = openRunningGate();
    repository(scratch);
    const planted = join(scratch.workspace, "planted");
    scratch.put(".git/config", `${scratch.text(".git/config")}[filter "f"]\n\tclean = touch '${planted}'\n`);
    scratch.put(`${folder}/.gitattributes`, "*.txt filter=f\n");
    scratch.put(`${folder}/a.txt`, "two\n");
    mkdirSync(join(scratch.workspace, folder, ".git"));
    const input = { operation: "ADD", args: ["a.txt"], cwd: folder };
    expect(codeOf(await scratch.gate.call({ tool: "git", input }))).toBe(code);
    expect(existsSync(planted)).toBe(false);
  });

  /** A submodule whose configuration would run a program. */
  function withSubmodule(scratch: RunningGate, settings: string, attributes: string): void {
    const sub = join(scratch.workspace, "sub");
    const git = (...args: string[]) =>
      execFileSync("git", ["-C", sub, "-c", "user.name=Ann", "-c", "user.email=a@b.c", ...args]);
    scratch.put("sub/a.txt", "one\n");
    git("init", "-q");
    git("add", ".");
    git("commit", "-qm", "first");
    repository(scratch);
    scratch.put("sub/.git/config", `${scratch.text("sub/.git/config")}${settings}`);
    scratch.put("sub/.gitattributes", attributes);
    // As long as before, so that git has to look into it.
    scratch.put("sub/a.txt", "two\n");
  }

  it.each([["DIFF"], ["STATUS"], ["CHECKOUT", "-b", "topic"], ["STASH", "push"], ["COMMIT", "-m", "x"]])(
    "%s obeys no configuration of a submodule",
    async (...words) => {
      await using scratch = openRunningGate();
      const planted = join(scratch.workspace, "planted");
      withSubmodule(scratch, `[filter "f"]\n\tclean = touch '${planted}'\n`, "*.txt filter=f\n");
      const [operation = "", ...args] = words;
      // To others, a person's file may say that they are to look into it.
      if (operation === "DIFF" || operation === "STATUS")
        scratch.put(".gitmodules", '[submodule "sub"]\n\tpath = sub\n\turl = ./sub\n\tignore = none\n');
      const code = codeOf(await call(scratch, operation, ...args));
      expect(code).toBe(operation === "COMMIT" ? "TOOL_FAILED" : "completed");
      expect(existsSync(planted)).toBe(false);
    },
  );

  it.each([["DIFF"], ["SHOW"], ["LOG", "-p"]])(
    "%s shows a submodule without its programs",
    async (operation, ...args) => {
      await using scratch = openRunningGate();
      const planted = join(scratch.workspace, "planted");
      withSubmodule(scratch, `[diff "d"]\n\tcommand = touch '${planted}'; :\n`, "* diff=d\n");
      scratch.put(".git/config", `${scratch.text(".git/config")}[diff]\n\tsubmodule = diff\n`);
      const commit = ["-c", "user.name=Ann", "-c", "user.email=a@b.c", "commit", "-qam", "second"];
      execFileSync("git", ["-C", join(scratch.workspace, "sub"), ...commit]);
      if (operation !== "DIFF") execFileSync("git", ["-C", scratch.workspace, ...commit]);
      expect(printed(await call(scratch, operation, ...args))).toContain("Subproject commit");
      expect(existsSync(planted)).toBe(false);
    },
  );

  it("pushes to a folder that was made up to look like a repository, and runs nothing for it", async () => {
    await using scratch = openRunningGate();
    repository(scratch);
    const planted = join(scratch.workspace, "planted");
    const branch = execFileSync("git", ["-C", scratch.workspace, "branch", "--show-current"]).toString().trim();
    const config = `[core]\n\tbare = false\n\tworktree = ../tree\n\tfsmonitor = touch '${planted}'; :\n[receive]\n\tdenyCurrentBranch = updateInstead\n[hook "h"]\n\tevent = update\n\tevent = post-receive\n\tcommand = touch '${planted}'\n`;
    for (const [name, content] of [
      ["HEAD", `ref: refs/heads/${branch}\n`],
      ["config", config],
      ["objects/.x", ""],
      ["refs/.x", ""],
    ])
      scratch.put(`made/${name}`, content);
    mkdirSync(join(scratch.workspace, "tree"));
    for (const hook of ["update", "post-receive", "post-update", "reference-transaction"])
      chmodSync(scratch.put(`made/hooks/${hook}`, `#!/bin/sh\ntouch '${planted}'\n`), 0o755);
    expect(codeOf(await call(scratch, "PUSH", "made", branch))).toBe("TOOL_FAILED");
    expect(codeOf(await call(scratch, "BRANCH", "topic"))).toBe("completed");
    expect(codeOf(await call(scratch, "PUSH", "made", "topic"))).toBe("completed");
    expect(existsSync(planted)).toBe(false);
  });

  it("signs no tag, and asks no program for a key", async () => {
    await using scratch = openRunningGate();
    repository(scratch);
    const planted = join(scratch.workspace, "planted");
    const signing = `[tag]\n\tforceSignAnnotated = true\n[gpg]\n\tformat = ssh\n[gpg "ssh"]\n\tdefaultKeyCommand = touch '${planted}'\n`;
    scratch.put(".git/config", `${scratch.text(".git/config")}${signing}[user]\n\tname = Ann\n\temail = a@b.c\n`);
    expect(codeOf(await call(scratch, "TAG", "-m", "one", "v1"))).toBe("completed");
    expect(existsSync(planted)).toBe(false);
  });
});
