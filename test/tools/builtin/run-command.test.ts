import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Tool, ValidCall } from "../../../src/domain/call.ts";
import { touchInWords } from "../../../src/domain/touch-in-words.ts";
import { openPrograms } from "../../../src/files/open-programs.ts";
import { runCommandTool } from "../../../src/tools/builtin/run-command.ts";
import { openScratch, type Scratch } from "../../files/scratch.ts";
import { approvedCall, NEVER } from "../../support/sample-calls.ts";
import { runningPorts } from "../sandboxed/running-ports.ts";

/** A toolchain of two programs beside the workspace. */
function toolOf(scratch: Scratch): Tool {
  const bin = join(scratch.workspace, "../bin");
  mkdirSync(bin);
  for (const name of ["npm", "timeout"]) writeFileSync(join(bin, name), "#!/bin/sh\n", { mode: 0o755 });
  const programs = openPrograms({ searchPath: [bin], toolchains: [], writable: [scratch.workspace] });
  return runCommandTool(runningPorts(scratch.files, programs)) as unknown as Tool;
}

/** What a command names is looked up with others in between. */
async function turnsWhile(work: Promise<unknown>): Promise<number> {
  let turns = 0;
  let isOver = false;
  const count = () => {
    turns++;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  await work.finally(() => (isOver = true));
  return turns;
}

async function planned(scratch: Scratch, input: object): Promise<readonly string[]> {
  const tool = toolOf(scratch);
  const draft = await tool.plan({ ...approvedCall(), tool, input } as unknown as ValidCall, NEVER);
  if (draft.kind === "refuse") return [`${draft.refusal.code}: ${draft.refusal.message}`];
  return draft.plan.touches.map((touch) =>
    touch.kind === "exec"
      ? `${touch.origin} ${touchInWords(touch, scratch.workspace)}`
      : touchInWords(touch, scratch.workspace),
  );
}

describe("run_command plans", () => {
  it.each<[input: object, expected: readonly string[]]>([
    [{ command: "npm test" }, ["toolchain exec `npm test`"]],
    [{ command: "./npm test" }, ["elsewhere exec `./npm test`"]],
    [{ command: "nothing" }, ["nowhere exec `nothing`"]],
    [{ command: "cd sub && npm test" }, ["shell exec `cd sub`", "toolchain exec `npm test`"]],
    [{ command: "cd sub && ./npm test" }, ["shell exec `cd sub`", "elsewhere exec `./npm test`"]],
    [
      { command: "./npm a; cd sub; ./npm a" },
      ["elsewhere exec `./npm a`", "shell exec `cd sub`", "elsewhere exec `./npm a`"],
    ],
    [
      { command: "cd $x; ./npm" },
      ["shell exec `cd $x`; parts of it are known only at run time", "nowhere exec `./npm`"],
    ],
    [{ command: "./npm", cwd: "sub" }, ["elsewhere exec `./npm`"]],
    [{ command: "timeout 5 npm test" }, ["toolchain exec `npm test` behind `timeout 5 npm test`"]],
    [
      { command: "./timeout 5 npm" },
      ["toolchain exec `npm` behind `./timeout 5 npm`", "nowhere exec `./timeout 5 npm`"],
    ],
    [{ command: "f() { npm; }; f" }, ["toolchain exec `npm`"]],
    [{ command: "npm() { npm; }; npm" }, ["toolchain exec `npm`"]],
    [{ command: "npm > a; npm < link/x" }, ["toolchain exec `npm`", "write `a`", "read `../outside/x`"]],
    [{ command: "cd sub && npm > ../a" }, ["shell exec `cd sub`", "toolchain exec `npm`", "write `a`"]],
    [{ command: "cat a link/x > /dev/null" }, ["nowhere exec `cat a link/x`", "read `../outside/x`"]],
    [
      { command: "while cd ..; do npm > a; done" },
      [
        "shell exec `cd ..`",
        "toolchain exec `npm`",
        "something that can't be read before it runs (it can't be told which file `a` is)",
      ],
    ],
    [{ command: "npm a 'b c' \"it's\"" }, ["toolchain exec `npm a 'b c' 'it'\\''s'`"]],
    [
      { command: "npm test --prefix x" },
      ["toolchain exec `npm test --prefix x`; `--prefix` makes the program work with other files, settings or places"],
    ],
    [
      { command: "npm", env: { A: "1", CI: "1" } },
      ["toolchain exec `A=1 npm`; `A=1` sets a variable that the program may act on"],
    ],
    [
      { command: "npm", env: { PATH: "/x" } },
      [
        "toolchain exec `npm`",
        "something that can't be read before it runs (`PATH` is set, which changes what commands do)",
      ],
    ],
    [
      { command: "A=2; npm", env: { A: "1" } },
      [
        "toolchain exec `A=1 npm`; `A=1` sets a variable that the program may act on",
        "something that can't be read before it runs (`A` is set for all programs that follow)",
      ],
    ],
    [
      { command: "echo $((A))", env: { A: "a[$(x)]" } },
      [expect.stringContaining("A=a[$(x)]"), expect.stringContaining("the value of `A` is computed with")],
    ],
    [
      { command: "npm", network: true },
      ["toolchain exec `npm`", expect.stringContaining("the command asks for the network")],
    ],
    [{ command: "npm", network: false }, ["toolchain exec `npm`"]],
    [{ command: "npm", cwd: "../outside" }, ["toolchain exec `npm`", "read `../outside`"]],
    [{ command: "npm", cwd: "a" }, ["NOT_DIRECTORY: `a` is no folder to run a command in"]],
    [{ command: "npm", cwd: "a\0" }, [expect.stringContaining("PATH_INVALID")]],
    [
      { command: "(".repeat(100) },
      ["SHELL_TOO_COMPLEX: the command can't be judged as a whole: it is nested more than 60 deep"],
    ],
    [
      { command: "npm;".repeat(1001) },
      ["SHELL_TOO_COMPLEX: the command can't be judged as a whole: it has more than 1000 commands"],
    ],
    [{ command: `${"> f ".repeat(2000)}npm` }, ["toolchain exec `npm`", "write `f`"]],
    [
      { command: `${"> f ".repeat(2001)}npm` },
      ["SHELL_TOO_COMPLEX: the command can't be judged as a whole: it names more than 2000 files"],
    ],
    [
      { command: `cd a; cd b; cd c; npm ${"> f ".repeat(251)}` },
      ["SHELL_TOO_COMPLEX: the command can't be judged as a whole: it names more than 2000 files"],
    ],
    [{ command: "cat </dev/tcp/example.com/80" }, ["nowhere exec `cat`", "connect `example.com:80`"]],
    [{ command: 'echo "' }, ["shell exec `echo ''`", expect.stringContaining("bash could not read it")]],
  ])("%j", async (input, expected) => {
    using scratch = openScratch();
    for (const path of ["a", "npm", "sub/npm"]) chmodSync(scratch.put(path, "#!/bin/sh\n"), 0o755);
    symlinkSync(scratch.outside, join(scratch.workspace, "link"));
    expect(await planned(scratch, input)).toEqual(expected);
  });

  it("lets others go in between where it names very many files", async () => {
    using scratch = openScratch();
    const names = Array.from({ length: 1900 }, (_, at) => `/f${at}`);
    expect(await turnsWhile(planned(scratch, { command: `cat ${names.join(" ")}` }))).toBeGreaterThan(40);
  });
});
