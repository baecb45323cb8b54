import { once } from "node:events";
import { describe, expect, it } from "vitest";
import { batch } from "../../../src/doors/cli/batch.ts";
import type { Flags } from "../../../src/doors/cli/command.ts";
import { made } from "../../redact/samples.ts";
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

  it("a line that is no call is a refused call of the ledger, with its receipt, and holds no secret", async () => {
    using cli = openCli(CONFIG);
    cli.put("a");
    const secret = `password=${made(20)}`;
    const input = [
      line("read_file", { path: "a" }),
      "{",
      JSON.stringify({ tool: "read_file", [secret]: {} }),
      "[1]",
      line("read_file", { path: "a" }),
    ];
    const { out } = await invoked(cli, batch, ["-"], { input: input.join("\n") });
    const results = resultsIn(out);
    expect(results.map(({ kind, tool, line: number }) => [kind, tool, number])).toEqual([
      ["completed", "read_file", undefined],
      ["refused", "", 2],
      ["refused", "read_file", 3],
      ["refused", "", 4],
      ["completed", "read_file", undefined],
    ]);
    expect(new Set(results.map(({ callId }) => callId)).size).toBe(5);
    for (const { callId, receipt, kind } of results) {
      expect(callId).toMatch(/^call_[0-9a-f]{32}$/);
      const entries = await cli.lines(["ledger", "show", "--call", callId]);
      expect(entries.at(-1)).toMatchObject({ seq: receipt.seq, hash: receipt.hash });
      if (kind === "refused")
        expect(entries).toMatchObject([
          { kind: "tool.requested" },
          { kind: "tool.decided", body: { decision: "deny", code: "INVALID_ARGUMENTS" } },
        ]);
    }
    expect(out).not.toContain(secret);
    expect(JSON.stringify(await cli.lines(["ledger", "show"]))).not.toContain(secret);
    expect((await cli.run(["ledger", "verify"])).code).toBe(0);
  });

  it("a line that is no call and only asks for an explanation is explained as a deny, and nothing is written", async () => {
    using cli = openCli(CONFIG);
    const input = '{"tool":"read_file","inptu":{},"op":"explain"}';
    const { out } = await invoked(cli, batch, ["-"], { input });
    expect(resultsIn(out)).toEqual([
      {
        decision: "deny",
        ruleId: null,
        code: "INVALID_ARGUMENTS",
        touches: [],
        risk: null,
        reasons: [expect.stringContaining("line 1 is not a call")],
        hint: expect.any(String),
        plan: null,
        digest: null,
        errors: [expect.objectContaining({ field: "inptu", rule: "unknown_field" })],
        line: 1,
      },
    ]);
    expect(cli.has(".toolgate")).toBe(false);
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
    const [lines, recorded] = [100_000, 1000];
    const stdin =
      `${line("nobody", { path: "x".repeat(100) }, { op: "explain" })}\n`.repeat(lines / 2) +
      '{"op":"explain"}\n'.repeat(lines / 2 - recorded) +
      "{\n".repeat(recorded);
    const { code, out } = await cli.run(["batch", "-"], { stdin, env: { NODE_OPTIONS: "--max-old-space-size=40" } });
    expect([code, out.split("\n").length]).toEqual([0, lines + 1]);
  });

  it.each<[string, readonly string[], Record<string, string>, string]>([
    ["no file", [], {}, "no file is named"],
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

  it.each<[string, string | undefined, Flags, RegExp]>([
    ["without settings", undefined, {}, /^refused CONFIG_INVALID there is no `toolgate.yaml`/],
    ["without settings, --json", undefined, { json: true }, /^$/],
    ["with settings that don't load", "rulez: []\n", { json: true }, /^$/],
  ])("%s runs nothing: each line is refused in its order, whole", async (_, config, flags, err) => {
    using cli = openCli(config);
    const input = [line("write_file", { path: "b", content: "x" }), "", "{", line("x", {}, { op: "explain" })].join(
      "\n",
    );
    const ended = await invoked(cli, batch, ["-"], { flags, input });
    expect(ended.code).toBe(3);
    expect(ended.err).toMatch(err);
    const whole = { kind: "refused", callId: expect.stringMatching(/^call_[0-9a-f]{32}$/), durationMs: 0 };
    expect(resultsIn(ended.out)).toMatchObject([
      { ...whole, tool: "write_file", refusal: { code: "CONFIG_INVALID", stage: "resolve" } },
      { ...whole, tool: "", line: 3, refusal: { code: "INVALID_ARGUMENTS" } },
      { decision: "deny", code: "CONFIG_INVALID", touches: [], plan: null, digest: null, risk: null, ruleId: null },
    ]);
    expect([cli.has("b"), cli.has(".toolgate")]).toEqual([false, false]);
  });

  it("with a token that is not good runs nothing either", async () => {
    using cli = openCli(WRITE_ALLOWED);
    const stdin = line("write_file", { path: "b", content: "x" });
    const ended = await cli.run(["batch", "-"], { stdin, env: { TOOLGATE_TOKEN: "tgs_some" } });
    expect(ended.code).toBe(3);
    expect(resultsIn(ended.out)).toMatchObject([{ kind: "refused", callId: expect.any(String), tool: "write_file" }]);
    expect(cli.has("b")).toBe(false);
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
