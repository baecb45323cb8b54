import { spawnSync } from "node:child_process";
import { dirname } from "node:path";
import { describe, expect, it } from "vitest";
import { COMMANDS } from "../../../src/doors/cli/commands.ts";
import { main } from "../../../src/doors/cli/main.ts";
import { VERSION } from "../../../src/wiring/version.ts";
import { BUILT_PROGRAM } from "../../support/built-program.ts";
import { openCli } from "../../support/run-cli.ts";
import { CONFIG } from "./configs.ts";

describe("a working directory that was deleted", () => {
  it("is said, and is no mistake of ours", async () => {
    using cli = openCli(CONFIG);
    const cwd = dirname(cli.put("gone/a"));
    // The shell deletes the folder that it is in, and then becomes the program.
    const { status, stderr } = spawnSync(
      "sh",
      ["-c", `rm -r "${cwd}" && exec "$0" "$@"`, process.execPath, BUILT_PROGRAM, "tools"],
      {
        cwd,
        env: cli.env,
        encoding: "utf8",
      },
    );
    expect([status, stderr]).toEqual([
      2,
      "error the working directory is gone\n  hint change to a folder that is there, and try again\n",
    ]);
  });
});

const CALL_USAGE = "  usage toolgate call TOOL [JSON or -] [--no-wait] [--yes] [--key KEY]\n";

describe("a command line that is not understood", () => {
  it.each<[name: string, args: readonly string[], message: string, hint: string | null, usage?: string]>([
    ["a command that does not exist", ["cal"], "`cal` is not a command", "did you mean `call`"],
    ["one that is like none", ["frobnicate"], "`frobnicate` is not a command", "`toolgate help` lists the commands"],
    ["a name of the language", ["constructor"], "`constructor` is not a command", "`toolgate help` lists the commands"],
    [
      "an option before the command",
      ["--yes", "call"],
      "`--yes` is not a command",
      "options come after the command: `toolgate call … --json`",
    ],
    ["an option that does not exist", ["call", "--Yes"], "unknown option `--Yes`", null, CALL_USAGE],
    [
      "an option without its value",
      ["call", "x", "--config"],
      "option `--config <value>` argument missing",
      null,
      CALL_USAGE,
    ],
    [
      "an option with a value too many",
      ["call", "x", "--json=1"],
      "option `--json` does not take an argument",
      null,
      CALL_USAGE,
    ],
    ["no tool", ["call"], "no tool is named", "`toolgate tools` lists them", CALL_USAGE],
    ["unquoted JSON", ["call", "x", "{", "}"], "`}` is one word too many", "put the JSON in single quotes", CALL_USAGE],
    ["a help that does not exist", ["help", "cal"], "`cal` is not a command", "did you mean `call`"],
    ["control characters", ["\u001b[31m"], "`\\u{1b}[31m` is not a command", "`toolgate help` lists the commands"],
    [
      "a ledger that does not exist",
      ["ledger", "shew"],
      "`ledger shew` does not exist",
      "it is show, verify, checkpoint, prove, export or adopt",
      expect.stringContaining("usage toolgate ledger "),
    ],
  ])("%s", async (_, args, message, hint, usage = "") => {
    using cli = openCli(CONFIG);
    const { code, out, err } = await cli.run(args);
    const said = `error ${message}\n${hint === null ? "" : `  hint ${hint}\n`}`;
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err.slice(0, said.length)).toBe(said);
    expect(err.slice(said.length)).toEqual(usage);
  });

  it.each([
    ["call", "--json"],
    ["call", "read_file", "{", "--json"],
    ["call", "read_file", "{}", "--json", "--nosuch"],
    ["--json", "call"],
    ["nosuch", "--json"],
    ["init", "--json"],
    ["batch", "nosuch.jsonl", "--json"],
    ["ledger", "prove", "99999", "--json"],
  ])("is told as JSON to who asked for it: %s", async (...args) => {
    using cli = openCli(CONFIG);
    const { code, out, err } = await cli.run(args);
    const { kind, refusal } = JSON.parse(out);
    expect([code, kind, refusal.code, out.endsWith("}\n")]).toEqual([2, "refused", "INVALID_ARGUMENTS", true]);
    expect([err, refusal.message]).toEqual(["", expect.any(String)]);
  });

  it("is no JSON where `--json` is a word of somebody else's", async () => {
    using cli = openCli(CONFIG);
    expect(await cli.run(["call", "--", "read_file", "{}", "--json"])).toMatchObject({ code: 2, out: "" });
  });

  it.each([["tools", "check", "-"], ["init"], ["trust"], ["ledger", "verify"], ["ledger", "prove", "1"]])(
    "`%s` with a word too many",
    async (...args) => {
      using cli = openCli(CONFIG);
      expect(await cli.run([...args, "more"])).toMatchObject({
        code: 2,
        err: expect.stringMatching(
          new RegExp(`^error \`more\` is one word too many\\n {2}usage toolgate ${args[0]}[^\\n]*\\n$`),
        ),
      });
    },
  );
});

describe("help", () => {
  it.each([[[]], [["help"]], [["--help"]], [["-h"]]])("%j lists exactly the commands there are", async (args) => {
    using cli = openCli();
    const { code, out, err } = await cli.run(args);
    expect([code, err]).toEqual([0, ""]);
    const listed = [...out.matchAll(/^ {2}([a-z]+) {2,}/gm)].map(([, name]) => name);
    expect(listed).toEqual(Object.keys(COMMANDS));
  });

  it.each(Object.keys(COMMANDS))("of `%s` is the same by both ways, and on stdout", async (name) => {
    using cli = openCli();
    const [flag, word] = await Promise.all([cli.run([name, "--help"]), cli.run(["help", name])]);
    expect(flag).toEqual(word);
    expect(flag).toMatchObject({ code: 0, err: "" });
    expect(flag.out).toMatch(new RegExp(`^usage: toolgate ${name}\\b`));
  });
});

it("the version", async () => {
  using cli = openCli();
  expect(await cli.run(["--version"])).toEqual({ code: 0, signal: null, out: `toolgate ${VERSION}\n`, err: "" });
});

it("the version, and a script for a shell, as JSON", async () => {
  using cli = openCli();
  expect(await cli.run(["--version", "--json"])).toMatchObject({
    code: 0,
    out: `${JSON.stringify({ version: VERSION })}\n`,
  });
  const { out } = await cli.run(["completion", "fish", "--json"]);
  expect(JSON.parse(out)).toEqual({ shell: "fish", script: (await cli.run(["completion", "fish"])).out });
});

describe("in this process", () => {
  it.each<[readonly string[], number]>([
    [["--version"], 0],
    [["help", "call"], 0],
    [["nonsense"], 2],
    [["tools", "--nonsense"], 2],
  ])("%j exits with %d", async (args, code) => {
    const { write: out } = process.stdout;
    const { write: err } = process.stderr;
    process.stdout.write = () => true;
    process.stderr.write = () => true;
    try {
      expect(await main(args)).toBe(code);
    } finally {
      process.stdout.write = out;
      process.stderr.write = err;
    }
  });
});
