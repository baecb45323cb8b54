import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { GLOBAL_FLAGS } from "../../../src/doors/cli/command.ts";
import { COMMANDS, loadAll } from "../../../src/doors/cli/commands.ts";
import { completionOf } from "../../../src/doors/cli/completion.ts";
import { BUILT_PROGRAM } from "../../support/built-program.ts";
import { needs } from "../../support/parts.ts";
import { type Cli, openCli } from "../../support/run-cli.ts";
import { CONFIG } from "./configs.ts";
import { invoked } from "./invoked.ts";

const scriptFor = async (cli: Cli, shell: string) => (await invoked(cli, completion, [shell])).out;
const commands = Object.keys(COMMANDS);
const allCommands = await loadAll();
const completion = completionOf(loadAll);

/** A `toolgate` on the PATH: the real one, or one that says what a hostile server could have put into the catalog. */
function withProgram(cli: Cli, body = `exec "${process.execPath}" "${BUILT_PROGRAM}" "$@"`): string {
  const folder = join(cli.workspace, "bin");
  mkdirSync(folder, { recursive: true });
  chmodSync(cli.put("bin/toolgate", `#!/bin/sh\n${body}\n`), 0o755);
  return folder;
}

/** What bash would offer for the last of these words. */
function offered(cli: Cli, script: string, words: readonly string[], folder: string): readonly string[] {
  const asked = words.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(" ");
  const program = `${script}\nCOMP_WORDS=(${asked}); COMP_CWORD=${words.length - 1}; _toolgate; ((\${#COMPREPLY[@]})) && printf '%s\\n' "\${COMPREPLY[@]}"; true`;
  const ran = spawnSync("bash", ["--norc", "-c", program], {
    cwd: cli.workspace,
    env: { ...cli.env, PATH: `${folder}:${cli.env["PATH"]}` },
    encoding: "utf8",
  });
  expect([ran.status, ran.stderr]).toEqual([0, ""]);
  return ran.stdout.split("\n").slice(0, -1);
}

needs("bash")("completion in bash", () => {
  it.each<[readonly string[], readonly string[]]>([
    [
      ["toolgate", ""],
      [...commands, "help"],
    ],
    [["toolgate", "ca"], ["call"]],
    [["toolgate", "nothing"], []],
    [["toolgate", "ledger", "ve"], ["verify"]],
    [
      ["toolgate", "rules", ""],
      ["check", "test", "explain"],
    ],
    [
      ["toolgate", "tools", ""],
      ["add", "check"],
    ],
    [
      ["toolgate", "completion", ""],
      ["bash", "zsh", "fish"],
    ],
    [
      ["toolgate", "ledger", "show", "--c"],
      ["--call", "--config"],
    ],
    [
      ["toolgate", "ledger", "--json", "verify", "--c"],
      ["--checkpoints", "--config"],
    ],
    [
      ["toolgate", "ledger", "--c"],
      ["--call", "--checkpoints", "--config"],
    ],
    [["toolgate", "help", "led"], ["ledger"]],
    [["toolgate", "call", "--y"], ["--yes"]],
    [
      ["toolgate", "call", "-"],
      ["--no-wait", "--yes", "--key", ...Object.keys(GLOBAL_FLAGS).map((flag) => `--${flag}`)],
    ],
    [
      ["toolgate", "init", "--profile", ""],
      ["workspace", "risk"],
    ],
    [["toolgate", "init", "--profile", "ri"], ["risk"]],
    [["toolgate", "batch", "--concurrency", ""], []],
    [
      ["toolgate", "batch", "calls"],
      ["calls one.jsonl", "calls.jsonl"],
    ],
    [["toolgate", "batch", "--concurrency", "3", "calls."], ["calls.jsonl"]],
    [["toolgate", "call", "--config", "toolgate"], ["toolgate.yaml"]],
    [["toolgate", "call", "--workspace", "f"], ["folder"]],
    [["toolgate", "call", "--config", "toolgate.yaml", "read_"], ["read_file"]],
    [["toolgate", "call", "--json", "w"], ["write_file"]],
    [["toolgate", "explain", "e"], ["edit_file"]],
    [["toolgate", "call", "read_file", ""], []],
    [["toolgate", "call", "$(touch pwned)"], []],
    [["toolgate", "$(touch pwned)", "`touch pwned`"], []],
  ])("%j", async (words, expected) => {
    using cli = openCli(CONFIG);
    for (const name of ["calls.jsonl", "calls one.jsonl", "folder/x", "file"]) cli.put(name);
    const got = offered(cli, await scriptFor(cli, "bash"), words, withProgram(cli));
    expect(got.toSorted()).toEqual(expected.toSorted());
    expect(cli.has("pwned")).toBe(false);
  });

  it("a hostile name is neither offered nor run", async () => {
    using cli = openCli();
    const folder = withProgram(
      cli,
      `printf '%s\\n' good '$(touch pwned)' '\`touch pwned\`' 'a b' 'x;y' "q'" '' 'also-good'`,
    );
    const got = offered(cli, await scriptFor(cli, "bash"), ["toolgate", "call", ""], folder);
    expect([got, cli.has("pwned")]).toEqual([["good", "also-good"], false]);
  });

  it("offers no names of tools where the configuration is not trusted", async () => {
    using cli = openCli();
    cli.put("toolgate.yaml", CONFIG);
    expect(offered(cli, await scriptFor(cli, "bash"), ["toolgate", "call", ""], withProgram(cli))).toEqual([]);
  });
});

describe.each(["bash", "zsh", "fish"])("the script for %s", (shell) => {
  it("knows every command, every option and every subcommand", async () => {
    using cli = openCli();
    const script = await scriptFor(cli, shell);
    for (const { name, flags, subcommands = [] } of allCommands) {
      expect(script).toContain(name);
      for (const flag of Object.keys({ ...flags, ...GLOBAL_FLAGS }))
        expect(script).toMatch(new RegExp(`(--|-l )${flag}\\b`));
      for (const subcommand of subcommands) expect(script).toContain(subcommand);
    }
    expect(script).not.toMatch(/undefined|\[object/);
    expect(script.endsWith("\n")).toBe(true);
  });
});

describe("texts in the scripts", () => {
  it("for zsh: brackets, colons and quotes of a description stay text", async () => {
    using cli = openCli();
    const script = await scriptFor(cli, "zsh");
    expect(script).toMatch(/^#compdef toolgate\n/);
    const specs = [...script.matchAll(/^ {8}'(--[a-z-]+=?\[.*)'( \\)?$/gm)].map(([, spec = ""]) =>
      spec.replaceAll(`'\\''`, "'"),
    );
    const options = allCommands.flatMap(({ flags }) => Object.keys({ ...flags, ...GLOBAL_FLAGS }));
    expect(specs.length).toBe(options.length);
    // An option, its description in brackets with everything in it escaped, and what its value is.
    for (const spec of specs)
      expect(spec).toMatch(/^--[a-z-]+(\[([^[\]:\\]|\\[[\]:\\])*\]|=\[([^[\]:\\]|\\[[\]:\\])*\]:[a-z-]+:[^:']+)$/);
  });

  it("for fish: every line is one command, and every quote is closed", async () => {
    using cli = openCli();
    const lines = (await scriptFor(cli, "fish")).trimEnd().split("\n");
    for (const line of lines.slice(1))
      expect(line).toMatch(/^complete -c toolgate( (-[a-zA-Z]|[a-z_-]+|'([^'\\]|\\['\\])*'))*$/);
  });
});

it.each<[readonly string[], string]>([
  [[], "no shell is named"],
  [["powershell"], "`powershell` is not known"],
  [["bash", "more"], "`more` is one word too many"],
])("%j is not understood", async (words, message) => {
  using cli = openCli();
  await expect(invoked(cli, completion, words)).rejects.toThrow(message);
});
