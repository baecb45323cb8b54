import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { PROFILES } from "../../src/config/profiles.ts";
import { touchInWords } from "../../src/domain/touch-in-words.ts";
import type { RuleSource } from "../../src/rules/rule.ts";
import { approves, asKind, codeOf, openScratchGate, type ScratchGate } from "../support/scratch-gate.ts";

const writing = (path: string) => ({ tool: "write_file", input: { path, content: "x" } });
const write = (effect: RuleSource["effect"], ...patterns: string[]): RuleSource => ({
  ...{ id: `${effect}-${patterns[0]?.replaceAll(/\W/g, "-")}`, effect, touch: { write: patterns } },
});

const inWords = async ({ gate, workspace }: ScratchGate, path: string) => {
  const { decision, touches } = await gate.explain(writing(path));
  return [decision, ...touches.map((touch) => `${touch.decision} ${touchInWords(touch, workspace)}`)];
};

describe("a folder that is made for a file", () => {
  it("is judged, shown, made and recorded as a touch of its own", async () => {
    await using scratch = openScratchGate({ rules: [write("ask", "./**")] });
    expect(await inWords(scratch, "new/deep/a.txt")).toEqual([
      "ask",
      "ask write `new/deep/a.txt`",
      "ask write `new` (a new folder)",
      "ask write `new/deep` (a new folder)",
    ]);
    const asked = asKind(await scratch.gate.call(writing("new/deep/a.txt"), { whenAsked: "return" }), "pending");
    expect(scratch.entries(asked.callId).some((entry) => JSON.stringify(entry).includes('"folder":true'))).toBe(true);
    expect(existsSync(join(scratch.workspace, "new"))).toBe(false);
    const done = await scratch.again({ approver: approves }).call(writing("new/deep/a.txt"));
    expect([done.kind, scratch.text("new/deep/a.txt")]).toEqual(["completed", "x"]);
  });

  it.each([
    ["docs/new/a.md", "completed"],
    ["docs/deny/a.md", "RULE_DENY"],
    ["notes/new/a.md", "DEFAULT_DENY"],
    ["notes/a.md", "completed"],
  ])("needs a rule that lets it be written: %s, %s", async (path, code) => {
    const rules = [write("allow", "./docs/**"), write("allow", "./notes/**/*.md"), write("deny", "./docs/deny")];
    await using scratch = openScratchGate({ rules });
    for (const folder of ["docs", "notes"]) mkdirSync(join(scratch.workspace, folder));
    const outcome = await scratch.gate.call(writing(path));
    expect(codeOf(outcome)).toBe(code);
    expect(existsSync(join(scratch.workspace, path))).toBe(code === "completed");
    if (code !== "completed") expect(JSON.stringify(outcome)).toContain(path.split("/").slice(0, -1).join("/"));
  });

  it("is part of what was approved: one that has come since makes the answer stale", async () => {
    await using scratch = openScratchGate({ rules: [write("ask", "./**")] });
    const making = scratch.again({
      approver: {
        ask: async () => {
          mkdirSync(join(scratch.workspace, "new"));
          return { kind: "approve", who: "ann" };
        },
      },
    });
    expect(codeOf(await making.call(writing("new/a.txt")))).toBe("APPROVAL_STALE");
    expect(existsSync(join(scratch.workspace, "new/a.txt"))).toBe(false);
  });

  it("is no secret where the file may be written, and is not told of where it may not", async () => {
    await using scratch = openScratchGate({ rules: [write("allow", "./**"), write("deny", "./closed/**")] });
    mkdirSync(join(scratch.workspace, "closed/there"), { recursive: true });
    const told = [await inWords(scratch, "closed/there/a"), await inWords(scratch, "closed/nosuch/a")];
    expect(told).toEqual([
      ["deny", "deny write `closed/there/a`"],
      ["deny", "deny write `closed/nosuch/a`"],
    ]);
    const { plan } = await scratch.gate.explain(writing("closed/nosuch/a"));
    expect(plan?.touches).toHaveLength(1);
  });

  it("is part of an always, and no part of a never", async () => {
    const asks: RuleSource = { id: "ask", effect: "ask", otherwise: true, touch: { write: ["./**"] } };
    await using scratch = openScratchGate({ rules: [asks] });
    const asked = asKind(await scratch.gate.call(writing("new/a.txt"), { whenAsked: "return" }), "pending");
    const question = await scratch.gate.approvals.find(asked.approval.id);
    if (question === null) throw new Error("no question");
    const saved = (["approve", "reject"] as const).map((answer) => scratch.gate.always.propose(question.shown, answer));
    expect(saved).toMatchObject([
      { rule: { touch: { write: ["./new", "./new/a.txt"] }, because: "A person said always." } },
      { rule: { touch: { write: ["./new/a.txt"] }, because: "A person said never." } },
    ]);
  });

  it("is nothing that calls of a batch quarrel about", async () => {
    await using scratch = openScratchGate({ rules: [write("allow", "./**")] });
    const calls = Array.from({ length: 10 }, (_, at) => writing(`new/deep/${at}.txt`));
    const outcomes = await Promise.all(calls.map((call) => scratch.gate.call(call)));
    expect(outcomes.map(({ kind }) => kind)).toEqual(calls.map(() => "completed"));
  });
});

it("says the same of too many folders, whether some of them are there or not", async () => {
  await using scratch = openScratchGate({ rules: [write("deny", "./**")] });
  scratch.put("there/a.txt", "a");
  const deep = (first: string, count: number) => `${first}${"/a".repeat(count)}/b.txt`;
  const said = (path: string) =>
    scratch.gate.explain(writing(path)).then(({ reasons }) => reasons.join().replace(/`(?:there|other)\//, "`"));
  for (const count of [62, 63, 64, 65])
    expect(await said(deep("there", count))).toEqual(await said(deep("other", count)));
});

/** Names that other programs obey: neither a file in them nor a folder of that name is made. */
const PROTECTED = [
  ...[".git/hooks/x", "sub/.git/config", ".git/new/x", ".toolgate/x", "sub/.toolgate/deep/x", "toolgate.yaml/x"],
  ...[".bashrc/x", ".vscode/tasks.json", ".claude/new/x", ".ssh/x/y", "new/.mcp.json/x", ".envrc/deep/x"],
];

describe.each(["workspace", "risk"] as const)("the profile %s", (profile) => {
  it.each(PROTECTED)("keeps %s from being made", async (path) => {
    const { rules } = parse(PROFILES[profile].text) as { rules: readonly RuleSource[] };
    await using scratch = openScratchGate({ rules, approver: approves });
    expect(codeOf(await scratch.gate.call(writing(path)))).toBe("RULE_DENY");
    expect(existsSync(join(scratch.workspace, path.split("/")[0] ?? ""))).toBe(false);
    expect(codeOf(await scratch.gate.call(writing("src/new/deep/a.ts")))).toBe("completed");
  });
});
