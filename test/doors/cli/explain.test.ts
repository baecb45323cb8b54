import { describe, expect, it } from "vitest";
import { explain } from "../../../src/doors/cli/explain.ts";
import { openCli } from "../../support/run-cli.ts";
import { CONFIG } from "./configs.ts";
import { invoked } from "./invoked.ts";

describe("toolgate explain", () => {
  it.each<[string, string, RegExp]>([
    [
      "read_file",
      '{"path":"a"}',
      /^allow read_file {2}rule read {2}risk LOW\n {2}allow read `a` {2}read\n[\s\S]* {2}plan [0-9a-f]{64}\n$/,
    ],
    [
      "write_file",
      '{"path":"a","content":""}',
      /^ask write_file {2}rule write {2}risk MEDIUM\n {2}ask {3}write `a` {2}write\n {2}A person looks at each change\.\n/,
    ],
    ["read_file", '{"path":".env"}', /^deny read_file {2}rule secrets/],
    [
      "read_file",
      '{"path":"/etc/passwd"}',
      /^deny read_file {2}DEFAULT_DENY.*\n {2}deny {2}read `.*etc\/passwd` {2}no rule\n/,
    ],
    ["reed_file", "{}", /\n {2}- tool \(known_tool\): no tool is called `reed_file`\n/],
    ["reed_file", "{}", /^deny reed_file {2}TOOL_UNKNOWN\n[\s\S]*hint did you mean `read_file`/],
    ["read_file", "{}", /^deny read_file {2}INVALID_ARGUMENTS\n[\s\S]*- path \(required\)/],
  ])("%s %s", async (tool, input, expected) => {
    using cli = openCli(CONFIG);
    const { code, out, err } = await invoked(cli, explain, [tool, input]);
    expect([code, err]).toEqual([0, ""]);
    expect(out).toMatch(expected);
  });

  it("--json is one line with plan, touches and digest", async () => {
    using cli = openCli(CONFIG);
    expect(await cli.json(["explain", "write_file", '{"path":"a","content":"x"}'])).toMatchObject({
      decision: "ask",
      ruleId: "write",
      touches: [{ kind: "write", decision: "ask", ruleId: "write" }],
      risk: "MEDIUM",
      reasons: ["A person looks at each change."],
      plan: { tool: "write_file", operands: [{ before: null }] },
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });

  it("exits with 0 whatever the decision, and writes nothing", async () => {
    using cli = openCli(CONFIG);
    for (const args of [["read_file", '{"path":".env"}'], ["x"], ["write_file", "[]"]])
      expect(await cli.run(["explain", ...args])).toMatchObject({ code: 0, err: "" });
    expect(cli.has(".toolgate")).toBe(false);
  });
});

describe("toolgate explain run_command", () => {
  const RULES = `tools: { builtin: [shell] }
rules:
  - { id: test, effect: allow, touch: { exec: ["echo **", "cd *"] } }
  - { id: push, effect: ask, touch: { exec: ["git push **"] } }
`;

  it("shows the commands that are found, one a line, each with its rule", async () => {
    using cli = openCli(RULES);
    const command = "cd src && nohup echo 'a b'; echo $(git push) > out; $x";
    const { out } = await invoked(cli, explain, ["run_command", JSON.stringify({ command })]);
    expect(out.split("\n").slice(1, 7)).toEqual([
      "  allow exec `cd src`  test",
      "  allow exec `echo 'a b'` behind `nohup echo 'a b'`  test",
      "  ask   exec `git push`  push",
      "  deny  exec `echo $(git push)`; parts of it are known only at run time  no rule",
      "  deny  write `src/out`  no rule",
      "  deny  write `out`  no rule",
    ]);
    expect(out).toMatch(
      /deny {2}something that can't be read before it runs \(a command is known only at run time: `\$x`\)/,
    );
  });

  it("is as far as it goes without a sandbox: a call is refused before anything starts", async () => {
    using cli = openCli(RULES);
    const env = { PATH: "/nosuch" };
    const { code, out } = await cli.run(["call", "run_command", '{"command":"echo x"}', "--json"], { env });
    expect(JSON.parse(out)).toMatchObject({
      kind: "refused",
      refusal: { code: "SANDBOX_UNAVAILABLE", stage: "execute" },
    });
    expect(code).toBe(3);
  });

  it("says where a limit is reached", async () => {
    using cli = openCli(RULES);
    const { out } = await invoked(cli, explain, ["run_command", JSON.stringify({ command: "echo a;".repeat(1001) })]);
    expect(out).toMatch(/^deny run_command {2}SHELL_TOO_COMPLEX\n/);
  });
});
