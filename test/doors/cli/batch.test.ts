import { once } from "node:events";
import { describe, expect, it } from "vitest";
import { batch } from "../../../src/doors/cli/batch.ts";
import { needs } from "../../support/parts.ts";
import { endOf, openCli } from "../../support/run-cli.ts";
import { openTerminal } from "../../support/typed-terminal.ts";
import { CONFIG, WRITE_ALLOWED } from "./configs.ts";
import { invoked } from "./invoked.ts";

const line = (tool: string, input: object, more: object = {}) => JSON.stringify({ tool, input, ...more });
const resultsIn = (out: string) =>
  out
    .split("\n")
    .slice(0, -1)
    .map((text) => JSON.parse(text));

describe("toolgate batch", () => {
  it("one outcome or explanation a line, in the order of the file, and exit code 0", async () => {
    using cli = openCli(CONFIG);
    cli.put("a");
    const calls = [
      line("read_file", { path: "a" }),
      line("read_file", { path: "absent" }),
      line("read_file", { path: ".env" }),
      line("write_file", { path: "b", content: "x" }, { op: "explain" }),
      "",
      "{",
      '{"tool":"read_file","params":{"path":"a"}}\r',
    ];
    cli.put("calls.jsonl", calls.join("\n"));
    const { code, out, err } = await cli.run(["batch", "calls.jsonl"]);
    expect([code, err]).toEqual([0, ""]);
    expect(resultsIn(out)).toMatchObject([
      { kind: "completed", content: [{ text: "a" }] },
      { kind: "failed", error: { code: "FILE_NOT_FOUND" } },
      { kind: "refused", refusal: { code: "RULE_DENY" } },
      { decision: "ask", ruleId: "write" },
      { kind: "refused", line: 6, refusal: { code: "INVALID_ARGUMENTS", errors: [{ rule: "json" }] } },
      { kind: "completed", content: [{ text: "a" }] },
    ]);
  });

  it("runs what conflicts in order, however many run at a time", async () => {
    using cli = openCli(WRITE_ALLOWED);
    const appends = [..."abcdefghij"].map((content) => line("write_file", { path: "log", content, append: true }));
    for (const flags of [{}, { concurrency: "1" }, { concurrency: "256" }]) {
      const { code } = await invoked(cli, batch, ["-"], { flags, input: appends.join("\n") });
      expect(code).toBe(0);
    }
    expect(cli.text("log")).toBe("abcdefghij".repeat(3));
  });

  it("results are safe on a terminal, and the same value", async () => {
    using cli = openCli(CONFIG);
    const odd = "\u009b31m\u202e\u2028";
    cli.put("a", odd);
    const { out } = await invoked(cli, batch, ["-"], { input: line("read_file", { path: "a" }) });
    expect(out).toMatch(/^[\x20-\x7e]+\n$/);
    expect(JSON.parse(out)).toMatchObject({ content: [{ text: odd }] });
  });

  it("an ask is no yes", async () => {
    using cli = openCli(CONFIG);
    const input = line("write_file", { path: "b", content: "x" });
    const { code, out } = await invoked(cli, batch, ["-"], { input });
    expect([code, resultsIn(out)[0].kind, cli.has("b")]).toEqual([0, "pending", false]);
  });

  it("results come as they are ready, while more calls are waited for", async () => {
    using cli = openCli(CONFIG);
    cli.put("a");
    const child = cli.start(["batch", "-"]);
    child.stdin.write(`${line("read_file", { path: "a" })}\n`);
    const [first] = await once(child.stdout.setEncoding("utf8"), "data");
    expect(JSON.parse(first)).toMatchObject({ kind: "completed" });
    child.stdin.end(line("read_file", { path: "a" }));
    expect(await endOf(child)).toMatchObject({ code: 0, err: "" });
  });

  it("Ctrl-C ends it while it waits for more calls", async () => {
    using cli = openCli(CONFIG);
    cli.put("a");
    const child = cli.start(["batch", "-"]);
    child.stdin.on("error", () => {}).write(`${line("read_file", { path: "a" })}\n`);
    await once(child.stdout, "data");
    child.kill("SIGINT");
    expect(await endOf(child)).toMatchObject({ code: 1, err: "" });
    expect(cli.lastState()).toBe("completed");
  });

  it("a reader that goes away ends it", async () => {
    using cli = openCli(CONFIG);
    cli.put("a", "x".repeat(10_000));
    const input = Array(500).fill(line("read_file", { path: "a" }));
    const ended = await cli.run(["batch", "-"], { stdin: input.join("\n"), reader: "gone" });
    expect(ended).toMatchObject({ code: 0, err: "" });
  });

  it("needs no more memory for many lines than for few", async () => {
    using cli = openCli(CONFIG);
    const lines = 100_000;
    const stdin =
      `${line("nobody", { path: "x".repeat(100) }, { op: "explain" })}\n`.repeat(lines / 2) + "{\n".repeat(lines / 2);
    const { code, out } = await cli.run(["batch", "-"], { stdin, env: { NODE_OPTIONS: "--max-old-space-size=40" } });
    expect([code, out.split("\n").length]).toEqual([0, lines + 1]);
  });

  it.each<[string, readonly string[], Record<string, string>, string]>([
    ["no file", [], {}, "which file"],
    ["a word too many", ["a", "b"], {}, "`b` is one word too many"],
    ["a file that is not there", ["absent"], {}, "`absent` does not exist"],
    ["a folder", ["."], {}, "`.` is a directory"],
    ["a file that can't be read", ["/proc/self/mem"], {}, "`/proc/self/mem` can't be read to its end: EIO"],
    ["no number", ["-"], { concurrency: "many" }, "a whole number from 1 to 256"],
    ["none at a time", ["-"], { concurrency: "0" }, "a whole number from 1 to 256"],
    ["too many at a time", ["-"], { concurrency: "257" }, "a whole number from 1 to 256"],
  ])("%s is not understood", async (_, words, flags, message) => {
    using cli = openCli(CONFIG);
    await expect(invoked(cli, batch, words, { flags })).rejects.toThrow(message);
  });

  it("without settings runs nothing", async () => {
    using cli = openCli();
    expect(await invoked(cli, batch, ["-"], { input: line("read_file", {}) })).toMatchObject({ code: 3, out: "" });
  });

  it("tells a person how it ended", async () => {
    using cli = openCli(CONFIG);
    cli.put("a");
    const input = [line("read_file", { path: "a" }), line("read_file", {}), line("x", {}, { op: "explain" })].join(
      "\n",
    );
    const { err } = await invoked(cli, batch, ["-"], { input, isErrTerminal: true });
    expect(err.split("\r\u001b[2K").at(-1)).toBe("3 calls: 1 completed, 1 refused, 1 explained\n");
    expect((await invoked(cli, batch, ["-"], { isErrTerminal: true })).err).toBe("0 calls\n");
  });
});

needs("script")("on a terminal", () => {
  it("progress is shown while results go elsewhere, and results alone where they go to the screen", async () => {
    using cli = openCli(CONFIG);
    cli.put("calls.jsonl", line("read_file", {}));
    const elsewhere = await openTerminal(cli, ["batch", "calls.jsonl"], { redirect: " >out" }).ended;
    expect(elsewhere.screen).toContain("\u001b[2K");
    expect(elsewhere.screen).toMatch(/1 call: 1 refused\r\n$/);
    expect(resultsIn(cli.text("out")).length).toBe(1);
    const here = await openTerminal(cli, ["batch", "calls.jsonl"]).ended;
    expect(here.screen).not.toContain("\u001b[2K");
  });
});
