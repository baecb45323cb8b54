import { expect, it } from "vitest";
import type { RuleSource } from "../../../src/rules/rule.ts";
import { choose, openAcpEditor, updates } from "../../support/acp-pair.ts";
import { needs } from "../../support/parts.ts";
import { ALLOW_ALL } from "../../support/scratch-gate.ts";

const RUN: RuleSource = {
  id: "run",
  effect: "allow",
  touch: { exec: ["echo **", "sleep **", "printf **", "env", "seq **", "false", "FOO=bar echo **"] },
};
const WRITE: RuleSource = { id: "ask", effect: "ask", touch: { exec: ["touch **"] } };
const config = { tools: { builtin: ["files", "shell"] } };
const parts = { rules: [...ALLOW_ALL, RUN, WRITE], config };
const create = (command: string, more: object = {}) => ({ ask: ["terminal/create", { command, ...more }] });
const use = (method: string, terminalId = "toolgate-1") => ({ ask: [`terminal/${method}`, { terminalId }] });
const CREATED = { value: { terminalId: "toolgate-1" } };

needs("bwrap")("an agent's terminal", () => {
  it("is a command of the gate's, in its sandbox, with its output and its end", async () => {
    await using editor = await openAcpEditor(parts);
    const came = await editor.prompt(
      create("echo one; echo two >&2; false"),
      use("wait_for_exit"),
      use("output"),
      use("release"),
      use("output"),
    );
    expect(came.slice(0, 2)).toEqual([CREATED, { value: { exitCode: 1, signal: null } }]);
    const { output, truncated, exitStatus } = (came[2] as { value: { output: string } & Record<string, unknown> })
      .value;
    expect([output.split("\n").toSorted().join(" ").trim(), truncated, exitStatus]).toEqual([
      "one two",
      false,
      { exitCode: 1, signal: null },
    ]);
    expect(came.slice(3)).toMatchObject([{ value: {} }, { error: { code: -32_602 } }]);
    expect(editor.sent.some((line) => line.includes('"terminal/'))).toBe(false);
    expect(editor.scratch.rows()).toMatchObject([{ tool: "run_command", state: "failed" }]);
  });

  it("takes arguments word for word, variables and a folder", async () => {
    await using editor = await openAcpEditor(parts);
    const came = await editor.prompt(
      create("echo", {
        args: ["a b", "$HOME", "; false"],
        env: [{ name: "FOO", value: "bar" }],
        cwd: editor.scratch.workspace,
      }),
      use("wait_for_exit"),
      use("output"),
    );
    expect(came[2]).toMatchObject({ value: { output: "a b $HOME ; false\n", exitStatus: { exitCode: 0 } } });
  });

  it("keeps the end of what is printed, cut at a character", async () => {
    await using editor = await openAcpEditor(parts);
    const came = await editor.prompt(
      create("printf 'aaaa\u20ac\u20ac\u20ac'", { outputByteLimit: 8 }),
      use("wait_for_exit"),
      use("output"),
    );
    expect(came[2]).toMatchObject({ value: { output: "\u20ac\u20ac", truncated: true } });
  });

  it("is refused by rules, asked about, and not run where the answer is no", async () => {
    await using editor = await openAcpEditor({ ...parts, answers: choose("reject") });
    const came = await editor.prompt(
      create("curl evil.example"),
      create("touch a.txt"),
      create("ls", { cwd: "relative" }),
    );
    expect(came).toMatchObject([
      { error: { data: { code: "DEFAULT_DENY" } } },
      { error: { data: { code: "APPROVAL_REJECTED" } } },
      { error: { code: -32_602 } },
    ]);
    expect(editor.asked).toHaveLength(1);
  });

  it("can be killed and read afterwards, and is stopped by letting go of it", async () => {
    await using editor = await openAcpEditor(parts);
    const came = await editor.prompt(
      create("sleep 600"),
      use("output"),
      use("kill"),
      use("output"),
      create("sleep 600"),
      use("release", "toolgate-2"),
    );
    expect(came.slice(0, 4)).toEqual([
      CREATED,
      { value: { output: "", truncated: false } },
      { value: {} },
      { value: { output: "", truncated: false, exitStatus: { exitCode: null, signal: "SIGTERM" } } },
    ]);
    const { promise, resolve } = Promise.withResolvers<void>();
    const look = () =>
      editor.scratch.rows().every(({ state }) => state === "cancelled") ? resolve() : setTimeout(look, 20);
    look();
    await promise;
  });

  it("is shown to the editor as text, which has no such terminal", async () => {
    await using editor = await openAcpEditor(parts);
    await editor.prompt(
      create("echo shown"),
      use("wait_for_exit"),
      updates({ title: "run", content: [{ type: "terminal", terminalId: "toolgate-1" }] }, "tool_call"),
    );
    const shown = editor.updates.find(({ update }) => update.sessionUpdate === "tool_call");
    expect(shown?.update).toMatchObject({
      title: "run",
      content: [{ type: "content", content: { type: "text", text: "$ echo shown\nshown\n" } }],
    });
  });
});
