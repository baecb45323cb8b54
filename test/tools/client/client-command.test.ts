import { join } from "node:path";
import { expect, it } from "vitest";
import type { JsonObject } from "../../../src/domain/json.ts";
import type { RuleSource } from "../../../src/rules/rule.ts";
import { openScratchGate } from "../../support/scratch-gate.ts";

/** The `execute_command` of the Agent Tools seed, run by a client. */
const TOOLS = {
  client: {
    do_command: {
      description: "Runs a program in the editor's terminal",
      inputSchema: {
        type: "object",
        properties: { command: {}, args: {}, timeout: { type: "integer" } },
        required: ["command"],
      },
      touches: { exec: ["command", "args"] },
    },
  },
};

const RULES: readonly RuleSource[] = [
  { id: "tool", effect: "allow", touch: { tool: ["do_command"] } },
  { id: "look", effect: "allow", touch: { exec: ["ls **", "cat **"], read: ["./**"] } },
  { id: "closed", effect: "deny", touch: { read: ["./.env"] } },
  { id: "other", effect: "ask", otherwise: true, touch: { exec: ["**"] } },
  { id: "never", effect: "deny", touch: { exec: ["rm **"] } },
];

const openGate = () => openScratchGate({ rules: RULES, config: { tools: TOOLS } });

it.each<[string, JsonObject, string]>([
  ["a command that a rule allows", { command: "ls", args: ["-l"] }, "allow MEDIUM by tool"],
  ["one without arguments", { command: "ls" }, "allow MEDIUM by tool"],
  ["one whose argument is a text", { command: "ls", args: "-l" }, "allow MEDIUM by tool"],
  ["what it reads of the workspace", { command: "cat", args: ["a.txt"] }, "allow MEDIUM by tool"],
  ["what it must not read there", { command: "cat", args: [".env"] }, "deny MEDIUM by closed"],
  ["what lies outside", { command: "cat", args: ["/etc/passwd"] }, "deny MEDIUM by null"],
  ["a command that nothing is said of", { command: "make", args: ["all"] }, "ask HIGH by other"],
  ["a denied one", { command: "rm", args: ["a"] }, "deny HIGH by never"],
  ["a denied one behind another", { command: "timeout", args: ["5", "rm", "a"] }, "deny HIGH by never"],
  ["a denied one in a script", { command: "sh", args: ["-c", "ls; rm a"] }, "deny HIGH by never"],
  ["words that a shell would split", { command: "ls; rm a" }, "ask HIGH by other"],
  ["a program that is no text", { command: 7 }, "deny HIGH by null"],
  ["a program of nothing", { command: "" }, "deny HIGH by null"],
  ["a program of two words", { command: ["ls", "-l"] }, "deny HIGH by null"],
  ["arguments that are no texts", { command: "ls", args: [7] }, "deny HIGH by null"],
  ["an argument with a NUL", { command: "ls", args: ["a\0b"] }, "deny HIGH by null"],
  ["more than can be judged", { command: "ls", args: ["x".repeat(70_000)] }, "deny HIGH by null"],
])("%s", async (_, input, decision) => {
  await using scratch = openGate();
  scratch.put("a.txt", "a");
  scratch.put(".env", "a");
  const told = await scratch.gate.explain({ tool: "do_command", input });
  expect(`${told.decision} ${told.risk} by ${told.ruleId}`).toBe(decision);
});

it("the program stands in the plan as it was found, and the whole command with it", async () => {
  await using scratch = openGate();
  const { touches } = await scratch.gate.explain({ tool: "do_command", input: { command: "cat", args: ["a.txt"] } });
  expect(touches).toMatchObject([
    { kind: "tool", name: "do_command" },
    { kind: "exec", origin: "toolchain", argv: [{ text: "cat" }, { text: "a.txt" }] },
    { kind: "read", path: join(scratch.workspace, "a.txt") },
  ]);
});
