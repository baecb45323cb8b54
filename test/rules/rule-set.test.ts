import { describe, expect, it } from "vitest";
import type { Touch } from "../../src/domain/touch.ts";
import type { RuleSource } from "../../src/rules/rule.ts";
import { compileRules, type RuleSet } from "../../src/rules/rule-set.ts";
import { RULE_CASES } from "./rule-cases.ts";

function rulesOf(sources: readonly RuleSource[], workspace = "/workspace"): RuleSet {
  const compiled = compileRules(sources, { workspace });
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.problems));
  return compiled.rules;
}

function touchFrom(text: string): Touch {
  if (text === "unknown") return { kind: "unknown", reason: "a pipe" };
  if (text === "exec") return { kind: "exec", program: "/bin/ls", argv: [] };
  const [kind = "", path = ""] = text.split(" ");
  return { kind: kind as "read", path: path.startsWith("/") ? path : `/workspace/${path}` };
}

describe.each(RULE_CASES)("$name", ({ rules, decides }) => {
  const set = rulesOf(rules);
  it.each(decides)("%s, %s: %s", (tool, touch, decision) => {
    const verdict = set.judge(touchFrom(touch), tool);
    expect(`${verdict.effect} by ${verdict.ruleId ?? "none"}`).toBe(decision);
  });
});

describe("a verdict", () => {
  it("carries the touch and the rule's reason", () => {
    const touch = touchFrom("read a");
    const set = rulesOf([{ id: "r", effect: "ask", because: "people decide" }]);
    expect(set.judge(touch, "t")).toEqual({ touch, effect: "ask", ruleId: "r", because: "people decide" });
    expect(rulesOf([]).judge(touch, "t")).toEqual({ touch, effect: "deny", ruleId: null, because: null });
  });

  it("says why a path with a detour is denied", () =>
    expect(rulesOf([{ id: "r", effect: "allow" }]).judge(touchFrom("read /a/../b"), "t").because).toBe(
      "the path is not canonical, so no rule can speak about it",
    ));

  it("is a deny for a kind of touch that nobody has heard of", () => {
    const stranger = { kind: "teleport" } as unknown as Touch;
    expect(rulesOf([{ id: "r", effect: "allow" }]).judge(stranger, "t")).toMatchObject({
      effect: "deny",
      ruleId: null,
    });
  });
});

describe("the hash", () => {
  const rule: RuleSource = { id: "r", effect: "allow", touch: { read: ["./**"] } };
  const { hash } = rulesOf([rule]);

  it("is of what the rules say, wherever the workspace is", () => {
    expect(rulesOf([{ touch: { read: ["./**"] }, effect: "allow", id: "r" }], "/elsewhere").hash).toBe(hash);
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
  });

  it.each<[string, RuleSource[]]>([
    ["effect", [{ ...rule, effect: "ask" }]],
    ["id", [{ ...rule, id: "s" }]],
    ["pattern", [{ ...rule, touch: { read: ["./*"] } }]],
    ["reason", [{ ...rule, because: "x" }]],
    ["number of rules", [rule, { ...rule, id: "s" }]],
  ])("changes with the %s", (_, sources) => {
    expect(rulesOf(sources).hash).not.toBe(hash);
    expect(rulesOf(sources).size).toBe(sources.length);
  });
});

it("reports all problems at once, and gives no rules then", () => {
  const compiled = compileRules(
    [
      { id: "a b", effect: "deny", tools: [], touch: { read: ["src/**", "./ok"], write: [] } },
      { id: "fine", effect: "allow" },
      { id: "fine", effect: "deny", tools: ["*", "a?"], touch: {}, because: "\ud800" },
    ],
    { workspace: "/workspace" },
  );
  expect(compiled.ok || compiled.problems.map(({ ruleIndex, field, message }) => [ruleIndex, field, message])).toEqual([
    [0, "id", "the id `a b` is not a name"],
    [0, "touch.read[0]", "the pattern `src/**` does not say where it begins"],
    [0, "touch.write", "`touch.write` is an empty list, so the rule would cover nothing"],
    [0, "tools", "`tools` is an empty list, so the rule would cover nothing"],
    [2, "because", "the reason is not valid Unicode text"],
    [2, "touch", "the rule names no touch"],
    [2, "tools[1]", "the tool pattern `a?` holds `?`, which is in no tool's name"],
    [2, "id", "the id `fine` is taken by an earlier rule"],
  ]);
});
