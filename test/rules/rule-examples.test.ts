import { describe, expect, it } from "vitest";
import type { RuleSource } from "../../src/rules/rule.ts";
import { compileRules } from "../../src/rules/rule-set.ts";
import { conditions } from "./sample-facts.ts";

const problemsOf = (rule: Partial<RuleSource>): readonly string[] => {
  const compiled = compileRules([{ id: "r", effect: "allow", ...rule }], { workspace: "/w", conditions });
  return compiled.ok ? [] : compiled.problems.map(({ field, message }) => `${field}: ${message}`);
};

describe("examples that hold", () => {
  it.each<[string, Partial<RuleSource>]>([
    [
      "paths",
      {
        touch: { read: ["./src/**"] },
        examples: {
          match: ["read ./src/a b.ts", "read /w/src"],
          noMatch: ["read ./lib/a", "write ./src/a", "read /etc/x", "read ."],
        },
      },
    ],
    [
      "hosts",
      {
        touch: { connect: ["*.a.b:443"] },
        examples: { match: ["connect x.a.b:443"], noMatch: ["connect a.b:443", "connect x.a.b:80"] },
      },
    ],
    ["tools", { touch: { tool: ["git.*"] }, examples: { match: ["tool git.push"], noMatch: ["tool gi"] } }],
    ["the unknown", { touch: { unknown: true }, examples: { match: ["unknown"], noMatch: ["read ./a"] } }],
    ["everything but the unknown", { examples: { match: ["delete ./a", "connect a.b:1"], noMatch: ["unknown"] } }],
    ["everything", { effect: "deny", examples: { match: ["unknown", "read /"] } }],
    [
      "a condition about the touch",
      {
        when: 'touch.kind == "read" && touch.path.endsWith(".md")',
        examples: { match: ["read ./a.md"], noMatch: ["read ./a.ts", "unknown"] },
      },
    ],
    [
      "a condition about the risk",
      { when: 'risk == "HIGH"', examples: { match: ["write ./a.exe"], noMatch: ["write ./a"] } },
    ],
    [
      "a condition that does not matter",
      { touch: { read: ["./a"] }, when: "call.input.x == 1", examples: { noMatch: ["read ./b"] } },
    ],
  ])("%s", (_, rule) => expect(problemsOf(rule)).toEqual([]));
});

describe("examples that don't", () => {
  it.each<[Partial<RuleSource>, problem: string]>([
    [
      { touch: { read: ["./a"] }, examples: { match: ["read ./a", "read ./b"] } },
      "examples.match[1]: the rule does not cover its example `read ./b`",
    ],
    [
      { touch: { read: ["./a"] }, examples: { noMatch: ["read ./a"] } },
      "examples.noMatch[0]: the rule covers its example `read ./a`",
    ],
    [
      { touch: { exec: ["npm test"] }, examples: { match: ["npm test && ls"] } },
      "examples.match[0]: the rule does not cover its example `npm test && ls`",
    ],
    [{ examples: { match: ["exec "] } }, "examples.match[0]: no command is named"],
    [
      { examples: { match: [`echo ${"$(".repeat(100)}`] } },
      "examples.match[0]: the command can't be read: it is nested more than 60 deep",
    ],
    [{ examples: { noMatch: ["read a"] } }, "examples.noMatch[0]: `a` is not a path in its plainest form"],
    [{ examples: { match: ["read ./a/../b"] } }, "examples.match[0]: `./a/../b` is not a path in its plainest form"],
    [{ examples: { match: ["connect a.b"] } }, "examples.match[0]: `a.b` is not a host and a port"],
    [{ examples: { match: ["tool"] } }, "examples.match[0]: no tool is named"],
    [
      { when: 'trust == "native"', examples: { match: ["read ./a"] } },
      "examples.match[0]: an example can't be tried, since the condition asks about `trust`",
    ],
    [
      { when: "touch.host == 'x'", examples: { match: ["read ./a"] } },
      "examples.match[0]: an example can't be tried: its condition can't be decided: no such key: host",
    ],
  ])("%j", (rule, problem) => expect(problemsOf(rule)).toEqual([problem]));

  it("are not tried where the rule itself is bad", () =>
    expect(problemsOf({ touch: { read: ["a"] }, examples: { match: ["read ./b"] } })).toHaveLength(1));
});

it("come back with the rules, good or not", () => {
  const rule: RuleSource = {
    id: "r",
    effect: "deny",
    touch: { read: ["./a"] },
    examples: { match: ["read ./a"], noMatch: ["read ./a"] },
  };
  expect(compileRules([rule], { workspace: "/w" }).examples).toEqual([
    { ruleId: "r", field: "examples.match[0]", example: "read ./a", wanted: "match", holds: true },
    { ruleId: "r", field: "examples.noMatch[0]", example: "read ./a", wanted: "noMatch", holds: false },
  ]);
});

it("speak of a workspace that is the root", () => {
  const rule: RuleSource = {
    id: "r",
    effect: "deny",
    touch: { read: ["./a"] },
    examples: { match: ["read ./a", "read /a"] },
  };
  expect(compileRules([rule], { workspace: "/" }).ok).toBe(true);
});
