import { spawnSync } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { processTerminal } from "../../../src/doors/cli/process-terminal.ts";
import { BUILT_PROGRAM } from "../../support/built-program.ts";
import { needs } from "../../support/parts.ts";
import { openCli } from "../../support/run-cli.ts";
import { openTerminal } from "../../support/typed-terminal.ts";
import { CONFIG } from "./configs.ts";

const ESCAPE = "\u001b[";
const REFUSED = ["call", "read_file", '{"path":".env"}'];

describe("in a pipe", () => {
  it("there is no colour, and nobody to ask", () => {
    const terminal = processTerminal({ noColor: false });
    expect(terminal.paint("red", "x")).toBe(process.stderr.isTTY ? `${ESCAPE}31mx${ESCAPE}0m` : "x");
    expect(terminal.isOutOpen()).toBe(true);
  });

  it("neither stdout nor stderr has an escape", async () => {
    using cli = openCli(CONFIG);
    for (const args of [REFUSED, ["explain", ...REFUSED.slice(1)], ["tools"], ["ledger", "verify"], ["nonsense"]]) {
      const { out, err } = await cli.run(args, { env: { FORCE_COLOR: "1", CLICOLOR_FORCE: "1" } });
      expect(out + err).not.toContain(ESCAPE);
    }
  });

  it("a reader that goes away is no accident (`| head`)", async () => {
    using cli = openCli(CONFIG);
    cli.put("a", "x".repeat(1_000_000));
    const { code, err } = await cli.run(["call", "read_file", '{"path":"a"}'], { reader: "gone" });
    expect({ code, err, state: cli.lastState() }).toEqual({ code: 0, err: "", state: "completed" });
  });
});

describe("on a full disk", () => {
  it.each([
    ["call", "read_file", '{"path":"a"}'],
    ["ledger", "export"],
  ])("who gets a part is told that it is not the whole: %s %s", async (...args) => {
    using cli = openCli(CONFIG);
    cli.put("a");
    await cli.run(["call", "read_file", '{"path":"a"}']);
    const full = openSync("/dev/full", "w");
    const { workspace: cwd, env } = cli;
    const { status, stderr } = spawnSync(process.execPath, [BUILT_PROGRAM, ...args], {
      cwd,
      env,
      stdio: ["ignore", full, "pipe"],
      encoding: "utf8",
    });
    closeSync(full);
    expect([status, stderr]).toEqual([70, "error the results could not be written (ENOSPC), so they are not whole\n"]);
    expect(cli.lastState()).toBe("completed");
  });
});

needs("script")("on a terminal", () => {
  it("there is colour, and none where NO_COLOR asks for none", async () => {
    using cli = openCli(CONFIG);
    expect((await openTerminal(cli, REFUSED).ended).screen).toContain(`${ESCAPE}31mrefused${ESCAPE}0m`);
    expect((await openTerminal(cli, REFUSED, { env: { NO_COLOR: "1" } }).ended).screen).not.toContain(ESCAPE);
    expect((await openTerminal(cli, REFUSED, { env: { NO_COLOR: "" } }).ended).screen).toContain(ESCAPE);
  });

  it("results that go into a file have none, while messages on the screen have", async () => {
    using cli = openCli(CONFIG);
    const { screen } = await openTerminal(cli, ["explain", ...REFUSED.slice(1)], { redirect: " >out" }).ended;
    expect([cli.text("out").includes(ESCAPE), screen]).toEqual([false, ""]);
  });

  it("content is shown with what acts made visible, and goes into a file as it is", async () => {
    using cli = openCli(CONFIG);
    const odd = "\u001b]0;title\u0007\u202eend";
    cli.put("a", odd);
    const args = ["call", "read_file", '{"path":"a"}'];
    const shown = await openTerminal(cli, args, { env: { NO_COLOR: "1" } }).ended;
    expect(shown.screen).toMatch(
      /^\\u\{1b\}\]0;title\\u\{7\}\\u\{202e\}end\r\ncompleted read_file {2}ledger entry \d+\r\n$/,
    );
    await openTerminal(cli, args, { redirect: " >out" }).ended;
    expect(cli.text("out")).toBe(odd);
  });
});
