import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Tool } from "../../src/domain/call.ts";
import type { JsonObject } from "../../src/domain/json.ts";
import type { RunResult } from "../../src/domain/tool.ts";
import type { RuleSource } from "../../src/rules/rule.ts";
import { defineTool } from "../../src/tools/function/define-tool.ts";
import type { GovernorAnswer } from "../../src/tools/governor/function-governor.ts";
import { actingTool } from "../support/acting-tool.ts";
import { NO, openApprover, YES } from "../support/open-approver.ts";
import {
  ALLOW_ALL,
  ASK_ALL,
  asKind,
  codeOf,
  type Folders,
  type GateParts,
  openScratchGate,
} from "../support/scratch-gate.ts";

const policies = (...given: readonly object[]): Pick<GateParts, "config" | "files"> => ({
  config: { autoApprovals: "auto.yaml" },
  files: { "auto.yaml": JSON.stringify({ auto_approval_policies: given }) },
});
const policy = (type: string, more: object = {}, decision: object = {}) => ({
  id: "p",
  ...more,
  decision: { type, ...decision },
});
const DOCS = policy("approve", { id: "docs", include_paths: ["docs/**"] }, { reason: "only words" });

const writing = (path: string) => ({ tool: "write_file", input: { path, content: "new" } });

/** A governor that says this, and what it was asked. */
function governor(
  says: GovernorAnswer | (() => Promise<GovernorAnswer>),
  more: { id?: string; requiresManual?: boolean } = {},
) {
  const asked: JsonObject[] = [];
  const ask = async (question: JsonObject) => {
    asked.push(question);
    return typeof says === "function" ? await says() : says;
  };
  return { governors: [{ id: "g", ...more, ask }], asked };
}
const says = (status: GovernorAnswer["status"], ...messages: string[]): GovernorAnswer => ({ status, messages });

describe("a policy that approves", () => {
  it("answers the question, and nobody else is asked", async () => {
    await using scratch = openScratchGate({ rules: ASK_ALL, ...policies(DOCS) });
    scratch.put("docs/a.md");
    const outcome = asKind(await scratch.gate.call(writing("docs/b.md")), "completed");
    expect(scratch.text("docs/b.md")).toBe("new");
    const entries = scratch.entries(outcome.callId);
    expect(entries.map(({ kind }) => kind)).toEqual([
      "tool.requested",
      "tool.decided",
      "approval.automatic",
      "tool.executed",
    ]);
    expect(entries[1]?.body).toMatchObject({ decision: "allow", ruleId: "policy:docs", touches: [{ effect: "ask" }] });
    expect(entries[2]).toMatchObject({
      planDigest: entries[1]?.planDigest,
      body: {
        answer: "approve",
        who: "policy:docs",
        reason: "only words",
        governors: [],
        summary: ["[policy:docs] approve"],
      },
    });
  });

  it("leaves what it is not about to a person", async () => {
    await using scratch = openScratchGate({ rules: ASK_ALL, ...policies(DOCS) });
    scratch.put("docs/a.md");
    expect(codeOf(await scratch.gate.call(writing("a.md"), { whenAsked: "return" }))).toBe("pending");
  });

  it("never allows what a rule denies, nor what no rule covers", async () => {
    const deny: RuleSource = { id: "no", effect: "deny", touch: { write: ["./docs/**"] } };
    for (const [rules, code] of [
      [[...ASK_ALL, deny], "RULE_DENY"],
      [[], "DEFAULT_DENY"],
    ] as const) {
      await using scratch = openScratchGate({ rules, ...policies(DOCS) });
      scratch.put("docs/a.md");
      expect(codeOf(await scratch.gate.call(writing("docs/b.md")))).toBe(code);
    }
  });

  it("is not taken in by a link that leads elsewhere", async () => {
    await using scratch = openScratchGate({ rules: ASK_ALL, ...policies(DOCS) });
    scratch.put("docs/a.md");
    scratch.put("src/b.ts", "old");
    symlinkSync(join(scratch.workspace, "src"), join(scratch.workspace, "docs/src"));
    expect(codeOf(await scratch.gate.call(writing("docs/src/b.ts"), { whenAsked: "return" }))).toBe("pending");
    expect(codeOf(await scratch.gate.call(writing("docs/../src/b.ts"), { whenAsked: "return" }))).toBe("pending");
    expect(scratch.text("src/b.ts")).toBe("old");
  });

  it("stands in for nobody whom a rule wants to hear, and not for one of two", async () => {
    for (const approvers of [{ people: 2 }, { roles: ["security"] }, { users: ["ann"] }, { roles: [] }]) {
      const rules: readonly RuleSource[] = [{ id: "ask", effect: "ask", touch: { write: ["./**"] }, approvers }];
      await using scratch = openScratchGate({ rules, ...policies(DOCS) });
      scratch.put("docs/a.md");
      expect(codeOf(await scratch.gate.call(writing("docs/b.md"), { whenAsked: "return" }))).toBe("pending");
    }
  });

  it("answers for one file of several only together with the others (14)", async () => {
    const patch = (...files: readonly string[]) =>
      `*** Begin Patch\n${files.map((file) => `*** Add File: ${file}\n+x`).join("\n")}\n*** End Patch`;
    await using scratch = openScratchGate({ rules: ASK_ALL, ...policies(DOCS) });
    scratch.put("docs/a.md");
    const both = { tool: "apply_patch", input: { patch: patch("docs/b.md", "evil.sh") } };
    expect(codeOf(await scratch.gate.call(both, { whenAsked: "return" }))).toBe("pending");
    const one = { tool: "apply_patch", input: { patch: patch("docs/b.md", "docs/c.md") } };
    expect(codeOf(await scratch.gate.call(one))).toBe("completed");
  });

  it("about paths says nothing about a command, whatever file it is made to write", async () => {
    const rules: readonly RuleSource[] = [...ASK_ALL, { id: "ask-exec", effect: "ask", touch: { exec: ["**"] } }];
    const { config, files } = policies(policy("approve", { applies_to: ["run_command"], include_paths: ["docs/**"] }));
    const shell = { ...config, tools: { builtin: ["shell"] } };
    await using scratch = openScratchGate({ rules, config: shell, files: files ?? {} });
    scratch.put("docs/a.md");
    const call = { tool: "run_command", input: { command: "cat src/key > docs/b.md" } };
    expect(codeOf(await scratch.gate.call(call, { whenAsked: "return" }))).toBe("pending");
  });
});

describe("a policy that says no, or wants a person", () => {
  it.each([
    ["reject", "docs/b.md", "RULE_DENY"],
    ["manual", "docs/b.md", "pending"],
    ["reject", "a.md", "completed"],
    ["reject", "docs/open/b.md", "completed"],
  ])("is a rule for every call: %s for %s", async (type, path, code) => {
    const strict = policy(type, { include_paths: ["docs/**"], exclude_paths: ["docs/open/**"] });
    await using scratch = openScratchGate({ rules: ALLOW_ALL, ...policies(strict) });
    scratch.put("docs/open/a.md");
    expect(codeOf(await scratch.gate.call(writing(path), { whenAsked: "return" }))).toBe(code);
  });

  it("wins over one that approves, in any order", async () => {
    const no = policy("reject", { id: "no", include_paths: ["docs/keys/**"] });
    for (const given of [
      [DOCS, no],
      [no, DOCS],
    ]) {
      await using scratch = openScratchGate({ rules: ASK_ALL, ...policies(...given) });
      scratch.put("docs/keys/a");
      const outcome = asKind(await scratch.gate.call(writing("docs/keys/b")), "refused");
      expect(outcome.refusal).toMatchObject({ code: "RULE_DENY", ruleId: "policy:no" });
    }
  });
});

describe("a policy that says no, or wants a person, about a tool that has no touch of files", () => {
  const rules: readonly RuleSource[] = [{ id: "act", effect: "allow", tools: ["act"], touch: { unknown: true } }];
  const open = (...given: readonly object[]) =>
    openScratchGate({
      ...{ rules, ...policies(...given) },
      tools: [
        defineTool({
          ...{ name: "act", description: "acts", inputSchema: { type: "object" } },
          execute: () => "acted",
        }),
      ],
    });

  it.each([
    ["reject", { path: "keys/a" }, "APPROVAL_REJECTED"],
    ["manual", { path: "keys/a" }, "pending"],
    ["reject", { file: ["b", "docs/../keys/a"] }, "APPROVAL_REJECTED"],
    ["reject", { path: "link/a" }, "APPROVAL_REJECTED"],
    ["reject", { path: "docs/deep/../../keys/a" }, "APPROVAL_REJECTED"],
    ["reject", { path: "." }, "APPROVAL_REJECTED"],
    ["reject", { path: "keys/open/a" }, "completed"],
    ["reject", { path: "docs/a" }, "completed"],
    ["reject", { uri: "https://example.com/keys/a" }, "completed"],
    ["reject", { command: ["git", "push", "-f"] }, "APPROVAL_REJECTED"],
    ["reject", { command: ["git", "status"] }, "completed"],
  ])("goes by its arguments: %s %j", async (type, input, code) => {
    const keys = policy(type, { id: "keys", include_paths: ["keys/**"], exclude_paths: ["keys/open/**"] });
    const push = policy(type, { id: "push", parameters: { command_prefix: ["git", "push"] } });
    await using scratch = open(keys, push);
    scratch.put("keys/a");
    scratch.put("docs/a");
    scratch.put("src/deep/a");
    symlinkSync("keys", join(scratch.workspace, "link"));
    symlinkSync("../src/deep", join(scratch.workspace, "docs/deep"));
    expect(codeOf(await scratch.gate.call({ tool: "act", input }, { whenAsked: "return" }))).toBe(code);
  });
});

describe("a governor", () => {
  it("hears every call, also one that a rule allows, and can end it (13)", async () => {
    const { governors, asked } = governor(says("reject", "not on Fridays"));
    await using scratch = openScratchGate({ governors, rules: ALLOW_ALL });
    const outcome = asKind(await scratch.gate.call(writing("a.md")), "refused");
    expect(outcome.refusal).toMatchObject({
      ...{ code: "APPROVAL_REJECTED", stage: "approve", ruleId: "governor:g" },
      message: expect.stringContaining("not on Fridays"),
    });
    expect(() => scratch.text("a.md")).toThrow("ENOENT");
    expect(asked).toMatchObject([
      { phase: "permission", taskId: outcome.callId, toolCall: { toolId: "write_file", parameters: { path: "a.md" } } },
    ]);
    expect(scratch.entries(outcome.callId).map(({ kind }) => kind)).toEqual([
      "tool.requested",
      "tool.decided",
      "approval.automatic",
    ]);
  });

  it("ends what a policy approves (12, 13)", async () => {
    for (const skipGovernors of [false, true]) {
      const { governors } = governor(says("reject"));
      const docs = policy("approve", { include_paths: ["docs/**"] }, { skipGovernors });
      await using scratch = openScratchGate({ governors, rules: ASK_ALL, ...policies(docs) });
      scratch.put("docs/a.md");
      expect(codeOf(await scratch.gate.call(writing("docs/b.md")))).toBe("APPROVAL_REJECTED");
    }
  });

  it("that objects to nothing leaves everything as the rules have it", async () => {
    const { governors } = governor(says("approve"));
    await using allowed = openScratchGate({ governors, rules: ALLOW_ALL });
    const outcome = asKind(await allowed.gate.call(writing("a.md")), "completed");
    expect(allowed.entries(outcome.callId)[2]?.body).toMatchObject({
      answer: "silent",
      governors: [{ id: "g", status: "approve" }],
    });
    await using asked = openScratchGate({ governors, rules: ASK_ALL });
    expect(codeOf(await asked.gate.call(writing("a.md"), { whenAsked: "return" }))).toBe("pending");
  });

  it.each([
    ["has a doubt", () => governor(says("needs_attention", "looks odd")), "looks odd"],
    ["can't be heard", () => governor(() => Promise.reject(new Error("gone"))), "could not be heard"],
    ["is not enough by itself", () => governor(says("approve"), { requiresManual: true }), "wants a person to look"],
  ])("that %s brings a person in, whatever the rules allow", async (_, made, reason) => {
    const { governors } = made();
    const person = openApprover();
    await using scratch = openScratchGate({ governors, rules: ALLOW_ALL, approver: person.approver });
    const calling = scratch.gate.call(writing("a.md"));
    expect((await person.asked).reasons).toEqual([expect.stringContaining(reason)]);
    person.answer(YES);
    expect(codeOf(await calling)).toBe("completed");
    const again = openApprover();
    await using other = openScratchGate({ governors, rules: ALLOW_ALL, approver: again.approver });
    again.answer(NO);
    expect(codeOf(await other.gate.call(writing("a.md")))).toBe("APPROVAL_REJECTED");
  });

  it("has all that it says in the ledger, without secrets", async () => {
    const { governors } = governor({
      ...says("approve", "fine"),
      ...{
        score: 0.5,
        optionId: "allow_once",
        metadata: { seen: ["correct-horse-battery"], code: "correct-horse-battery" },
      },
    });
    const config = { secrets: [{ env: "KEY" }] };
    const variables = { KEY: "correct-horse-battery" };
    await using scratch = openScratchGate({ governors, rules: ALLOW_ALL, config, variables });
    const { callId } = await scratch.gate.call(writing("a.md"));
    const metadata = { code: "[REDACTED:KEY]", seen: ["[REDACTED:KEY]"] };
    expect(scratch.entries(callId)[2]?.body["governors"]).toMatchObject([
      { messages: ["fine"], metadata, optionId: "allow_once", score: 0.5 },
    ]);
  });

  it("is not shown the values of secrets", async () => {
    const { governors, asked } = governor(says("approve"));
    await using scratch = openScratchGate({
      governors,
      rules: ALLOW_ALL,
      config: { secrets: [{ env: "KEY" }] },
      variables: { KEY: "correct-horse-battery" },
    });
    await scratch.gate.call({ tool: "write_file", input: { path: "a.md", content: "it is correct-horse-battery" } });
    expect(JSON.stringify(asked)).toContain("[REDACTED:KEY]");
    expect(JSON.stringify(asked)).not.toContain("battery");
  });

  it("was told of something else than what would run now: nothing runs", async () => {
    const scratchOf: { put?: (path: string, content: string) => string } = {};
    const { governors } = governor(async () => {
      scratchOf.put?.("a.md", "changed meanwhile");
      return says("approve");
    });
    await using scratch = openScratchGate({ governors, rules: ALLOW_ALL });
    scratch.put("a.md", "old");
    scratchOf.put = scratch.put;
    expect(codeOf(await scratch.gate.call(writing("a.md")))).toBe("APPROVAL_STALE");
    expect(scratch.text("a.md")).toBe("changed meanwhile");
  });

  it.each([
    ["is repeated", { attemptsMax: 2, delayMs: () => 0 }, "IO_ERROR"],
    ["is planned afresh", undefined, "CONFLICT"],
  ] as const)("hears what runs, also where a call %s", async (_, again, code) => {
    const { governors, asked } = governor(says("approve"));
    const runs: string[] = [];
    const tools = ({ workspace }: Folders): readonly Tool[] => {
      const path = () => join(workspace, `attempt-${runs.length}`);
      const { tool } = actingTool(workspace);
      const plan = () =>
        ({ kind: "drafted", plan: { touches: [{ kind: "write", path: path() }], operands: [] } }) as const;
      const run = (): RunResult => {
        runs.push(path());
        return { kind: "failed", error: { code, message: "", retryable: true }, content: [] };
      };
      return [{ ...tool, plan, run, ...(again && { retry: again }) }];
    };
    await using scratch = openScratchGate({ governors, rules: ALLOW_ALL, tools });
    expect(codeOf(await scratch.gate.call({ tool: "act", input: {} }))).toBe(code);
    expect(runs).toHaveLength(asked.length);
  });

  it.each([
    ["as before", ASK_ALL],
    ["allow it now", ALLOW_ALL],
  ])("is not passed over by a yes to a question that it was not told of: rules %s", async (_, rules) => {
    const { governors, asked } = governor(says("reject"));
    await using scratch = openScratchGate({ rules: ASK_ALL });
    const pending = asKind(await scratch.gate.call(writing("a.md"), { whenAsked: "return" }), "pending");
    const governed = scratch.again({ governors, rules });
    const settled = governed.executions.settled(pending, new AbortController().signal);
    await governed.executions.answer(pending.approval.id, YES);
    expect(codeOf(await settled)).toBe("APPROVAL_STALE");
    expect(asked).toEqual([]);
    expect(() => scratch.text("a.md")).toThrow("ENOENT");
  });

  it("is not heard any more when the caller has gone", async () => {
    const heard = Promise.withResolvers<GovernorAnswer>();
    const { governors, asked } = governor(() => heard.promise);
    await using scratch = openScratchGate({
      governors,
      rules: ALLOW_ALL,
      tools: ({ workspace }) => [actingTool(workspace).tool],
    });
    const caller = new AbortController();
    const calling = scratch.gate.call({ tool: "act", input: {} }, { signal: caller.signal });
    await expect.poll(() => asked.length).toBe(1);
    caller.abort();
    heard.resolve(says("approve"));
    expect(codeOf(await calling)).toBe("CANCELLED");
  });

  it("answers detached calls as well: what nobody asks about goes on, what it doubts waits", async () => {
    const { governors } = governor(says("needs_attention", "hm"));
    await using scratch = openScratchGate({ governors, rules: ALLOW_ALL });
    const pending = asKind(await scratch.gate.call(writing("a.md"), { whenAsked: "return" }), "pending");
    expect(pending.approval.reasons).toEqual(["hm"]);
    const given = await scratch.gate.approvals.answer(pending.approval.id, YES);
    expect(given.kind).toBe("recorded");
  });
});

it("explaining a call tells who would be heard, and asks nobody", async () => {
  const { governors, asked } = governor(says("approve"));
  await using scratch = openScratchGate({ governors, rules: ASK_ALL, ...policies(DOCS) });
  scratch.put("docs/a.md");
  const heard = "`governor:g` would be heard before it starts";
  expect(await scratch.gate.explain(writing("docs/b.md"))).toMatchObject({
    decision: "ask",
    reasons: ["people decide", "`policy:docs` would answer this question", heard],
  });
  expect((await scratch.gate.explain(writing("b.md"))).reasons).toEqual(["people decide", heard]);
  expect(asked).toEqual([]);
});
