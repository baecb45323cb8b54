import { once } from "node:events";
import { describe, expect, it } from "vitest";
import { interruptible } from "../../../src/doors/cli/interruptible.ts";
import { marker, processesWith } from "../../sandbox/left-behind.ts";
import { needs } from "../../support/parts.ts";
import { endOf, openCli } from "../../support/run-cli.ts";
import { openTerminal } from "../../support/typed-terminal.ts";
import { CONFIG } from "./configs.ts";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

describe("interruptible", () => {
  it.each(SIGNALS)("%s cancels what runs, which then ends with its own code", async (name) => {
    const code = await interruptible(async (signal) => {
      process.kill(process.pid, name);
      await once(signal, "abort");
      return 7;
    });
    expect(code).toBe(7);
  });

  it("leaves no handler behind", async () => {
    const count = () => SIGNALS.map((name) => process.listenerCount(name));
    const before = count();
    await interruptible(async () => 0);
    await interruptible(async () => Promise.reject(new Error("x"))).catch(() => {});
    expect(count()).toEqual(before);
  });
});

needs("script")("a call whose question is open (F32)", () => {
  it.each(SIGNALS)("ends on %s with an outcome in the ledger", async (name) => {
    using cli = openCli(CONFIG);
    // The shell tells its own process id, then becomes the program.
    const terminal = openTerminal(cli, ["call", "write_file", '{"path":"b","content":"x"}'], {
      before: "echo pid=$$;",
    });
    await terminal.shows("run it?");
    const pid = /pid=(\d+)/.exec(terminal.screen())?.[1];
    process.kill(Number(pid), name);
    expect((await terminal.ended).code).toBe(3);
    expect([cli.lastState(), cli.has("b")]).toEqual(["cancelled", false]);
    const { out } = await cli.run(["ledger", "show", "--json"]);
    expect(JSON.parse(out.trim().split("\n").at(-1) ?? "")).toMatchObject({
      kind: "approval.answered",
      body: { answer: "cancelled", who: null },
    });
    expect((await cli.run(["ledger", "verify"])).code).toBe(0);
  });
});

const RUNS = `tools: { builtin: [shell] }
rules:
  - { id: run, effect: allow, touch: { exec: ["**"], write: ["./**"] }, grant: { write: ["./**"] } }
`;

needs("bwrap", "prlimit")("a call whose program runs (F32)", () => {
  it.each(SIGNALS)("ends on %s with its program and all it started, and with an outcome", async (name) => {
    using cli = openCli(RUNS);
    const mark = marker();
    const command = `(setsid sleep ${mark} &); sleep ${mark} & echo x > started; wait`;
    const child = cli.start(["call", "run_command", JSON.stringify({ command }), "--json"]);
    const ended = endOf(child);
    await expect.poll(() => cli.has("started")).toBe(true);
    child.kill(name);
    const { code, out } = await ended;
    expect([code, JSON.parse(out).error.code, processesWith(mark)]).toEqual([1, "CANCELLED", []]);
    expect(cli.lastState()).toBe("cancelled");
    expect((await cli.run(["ledger", "verify"])).code).toBe(0);
  });
});

it("a call that still waits for its arguments just ends: nothing has begun", async () => {
  using cli = openCli(CONFIG);
  const child = cli.start(["call", "read_file", "-"]);
  child.stdin.write('{"path":');
  const ended = endOf(child);
  // No sign tells that it reads by now; a signal that comes earlier ends it just the same.
  child.kill("SIGINT");
  expect(await ended).toMatchObject({ code: null, signal: "SIGINT", out: "" });
  expect(cli.has(".toolgate")).toBe(false);
});
