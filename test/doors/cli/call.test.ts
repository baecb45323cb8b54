import { buffer } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { call } from "../../../src/doors/cli/call.ts";
import { endOf, openCli } from "../../support/run-cli.ts";
import { CONFIG } from "./configs.ts";
import { invoked } from "./invoked.ts";

const WRITE = '{"path":"b","content":"x"}';

describe("toolgate call", () => {
  it("content on stdout, nothing on stderr, in a pipe", async () => {
    using cli = openCli(CONFIG);
    cli.put("a", "one\ntwo");
    expect(await cli.run(["call", "read_file", '{"path":"a"}'])).toEqual({
      code: 0,
      signal: null,
      out: "one\ntwo",
      err: "",
    });
  });

  it.each<[string, Buffer]>([
    ["text", Buffer.from("\u001b[31mred\u202e\u0007\r\n\ufeffé")],
    ["bytes", Buffer.from([0, 255, 10, 27, 13])],
  ])("%s, byte for byte", async (_, bytes) => {
    using cli = openCli(CONFIG);
    cli.put("a", bytes);
    const child = cli.start(["call", "read_file", '{"path":"a"}']);
    child.stdin.end();
    expect(await buffer(child.stdout)).toEqual(bytes);
  });

  it.each<[string, readonly string[], number, RegExp]>([
    ["completed", ["read_file", '{"path":"a"}'], 0, /^$/],
    [
      "failed",
      ["read_file", '{"path":"absent"}'],
      1,
      /^failed read_file {2}FILE_NOT_FOUND {2}ledger entry \d+\n {2}there is no file at `absent`\n/,
    ],
    [
      "refused by no rule",
      ["read_file", '{"path":"/etc/passwd"}'],
      3,
      /^refused read_file {2}DEFAULT_DENY .*\n {2}no rule covers read .*\n {2}hint /,
    ],
    ["refused by a rule", ["read_file", '{"path":".env"}'], 3, /RULE_DENY/],
    [
      "refused for its arguments",
      ["read_file", '{"pth":"a"}'],
      3,
      /INVALID_ARGUMENTS[\s\S]*- path \(required\)[\s\S]*- pth \(unknown_field\)/,
    ],
    ["refused for its name", ["red_file", "{}"], 3, /TOOL_UNKNOWN[\s\S]*did you mean `read_file`/],
    ["no arguments at all", ["read_file"], 3, /INVALID_ARGUMENTS/],
  ])("%s", async (_, words, code, err) => {
    using cli = openCli(CONFIG);
    cli.put("a");
    const ended = await invoked(cli, call, words);
    expect(ended).toMatchObject({ code, out: code === 0 ? "a" : "" });
    expect(ended.err).toMatch(err);
  });

  it.each<[string, string, number, object]>([
    ["read_file", '{"path":"a"}', 0, { kind: "completed", content: [{ type: "text", text: "a" }] }],
    ["read_file", '{"path":"absent"}', 1, { kind: "failed", error: { code: "FILE_NOT_FOUND" } }],
    ["read_file", '{"path":".env"}', 3, { kind: "refused", refusal: { code: "RULE_DENY", ruleId: "secrets" } }],
  ])("--json: one line, %s %s", async (tool, input, code, expected) => {
    using cli = openCli(CONFIG);
    cli.put("a");
    const ended = await cli.run(["call", tool, input, "--json"]);
    expect([ended.code, ended.err]).toEqual([code, ""]);
    expect(ended.out).toMatch(/^[^\n]+\n$/);
    expect(JSON.parse(ended.out)).toMatchObject({ ...expected, receipt: { hash: expect.any(String) } });
  });

  it("--json holds no character that acts on a terminal, and the same value", async () => {
    using cli = openCli(CONFIG);
    const odd = "\u009b31m\u202e\u{e0041}\u2028\u200b";
    cli.put("a", odd);
    const { out } = await invoked(cli, call, ["read_file", '{"path":"a"}'], { flags: { json: true } });
    expect(out).toMatch(/^[\x20-\x7e]+\n$/);
    expect(JSON.parse(out)).toMatchObject({ content: [{ text: odd }] });
  });

  it("--yes answers a question, and says who did", async () => {
    using cli = openCli(CONFIG);
    expect((await cli.run(["call", "write_file", WRITE, "--yes"])).code).toBe(0);
    expect([cli.text("b"), cli.lastState()]).toEqual(["x", "completed"]);
  });

  it("--no-wait: a question that nobody waits for, exit code 4; whoever approves it runs it", async () => {
    using cli = openCli(CONFIG);
    const pending = await cli.run(["call", "write_file", WRITE, "--no-wait"]);
    expect([pending.code, pending.out, cli.has("b"), cli.lastState()]).toEqual([4, "", false, "awaiting_approval"]);
    const id = /approval_\w+/.exec(pending.err)?.[0] ?? "";
    expect(pending.err).toMatch(
      new RegExp(
        `^pending write_file  ${id}  risk \\w+  until \\S+Z  ledger entry \\d+\\n  A person looks at each change\\.\\n  hint .*approvals approve ${id}`,
      ),
    );
    const approved = await cli.run(["approvals", "approve", id]);
    expect([approved.code, cli.text("b"), cli.lastState()]).toEqual([0, "x", "completed"]);
    const again = await cli.run(["approvals", "approve", id]);
    expect([again.code, again.err.includes("APPROVAL_CONFLICT")]).toEqual([3, true]);
  });

  it.each<[string, object, number, string, string]>([
    ["--no-wait", { "no-wait": true }, 4, "pending", "awaiting_approval"],
    ["--no-wait --yes: the answer is there", { "no-wait": true, yes: true }, 0, "completed", "completed"],
  ])("%s, as JSON", async (_, flags, code, kind, state) => {
    using cli = openCli(CONFIG);
    const ended = await invoked(cli, call, ["write_file", WRITE], { flags: { ...flags, json: true } });
    expect([ended.code, JSON.parse(ended.out).kind, ended.err, cli.lastState()]).toEqual([code, kind, "", state]);
  });

  it("--no-wait waits for what is not asked about", async () => {
    using cli = openCli(CONFIG);
    cli.put("a");
    expect(await invoked(cli, call, ["read_file", '{"path":"a"}'], { flags: { "no-wait": true } })).toMatchObject({
      code: 0,
      out: "a",
    });
  });

  it("without a terminal and without --yes it waits for another door", async () => {
    using cli = openCli(CONFIG);
    const child = cli.start(["call", "write_file", WRITE]);
    child.stdin.end();
    const ended = endOf(child);
    await expect.poll(() => cli.has(".toolgate") && cli.lastState()).toBe("awaiting_approval");
    const [question] = await cli.lines(["approvals", "list"]);
    expect((await cli.run(["approvals", "approve", question?.approvalId ?? ""])).code).toBe(0);
    expect([(await ended).code, cli.text("b")]).toEqual([0, "x"]);
  });

  it("--yes never changes a deny", async () => {
    using cli = openCli(CONFIG);
    const ended = await invoked(cli, call, ["write_file", '{"path":".env","content":"x"}'], { flags: { yes: true } });
    expect([ended.code, cli.has(".env"), cli.lastState()]).toEqual([3, false, "refused"]);
  });

  it("- reads the arguments from standard input", async () => {
    using cli = openCli(CONFIG);
    cli.put("a");
    expect(await cli.run(["call", "read_file", "-"], { stdin: '{"path":\n"a"}\n' })).toMatchObject({
      code: 0,
      out: "a",
    });
  });

  it("works in a folder below the config", async () => {
    using cli = openCli(CONFIG);
    cli.put("deep/er/a");
    expect(await cli.run(["call", "read_file", '{"path":"deep/er/a"}'], { cwd: "deep/er" })).toMatchObject({
      code: 0,
      out: "deep/er/a",
    });
  });

  it("says that a ledger can't be written, and runs nothing", async () => {
    using cli = openCli(CONFIG);
    cli.put(".toolgate", "a file where the folder should be");
    const ended = await cli.run(["call", "write_file", WRITE, "--yes"]);
    expect([ended.code, cli.has("b")]).toEqual([3, false]);
    expect(ended.err).toMatch(/LEDGER_UNAVAILABLE {2}not in the ledger/);
  });

  it.each<[readonly string[], string]>([
    [[], "no tool is named"],
    [["read_file", "{", "}"], "`}` is one word too many"],
  ])("with the words %j is not understood", async (words, message) => {
    using cli = openCli(CONFIG);
    await expect(invoked(cli, call, words)).rejects.toThrow(message);
  });

  it("shows content on a terminal with what acts made visible", async () => {
    using cli = openCli(CONFIG);
    cli.put("a", "\u001b[2J\u202eend");
    const { out, err } = await invoked(cli, call, ["read_file", '{"path":"a"}'], { isOutTerminal: true });
    expect(out).toBe("\\u{1b}[2J\\u{202e}end\n");
    expect(err).toMatch(/^completed read_file {2}ledger entry 4\n$/);
  });
});
