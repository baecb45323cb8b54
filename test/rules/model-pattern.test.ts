import { expect, it } from "vitest";
import { compileModelPattern } from "../../src/rules/model-pattern.ts";

const covers = (pattern: string, model: string): boolean | string => {
  const compiled = compileModelPattern(pattern);
  return "error" in compiled ? compiled.error : compiled.matches(model);
};

it.each<[string, string, boolean]>([
  ["anthropic/claude-x", "anthropic/claude-x", true],
  ["anthropic/claude-x", "anthropic/claude-xl", false],
  ["anthropic/claude-x", "Anthropic/claude-x", false],
  ["anthropic/claude-*", "anthropic/claude-x", true],
  ["anthropic/claude-*", "anthropic/other", false],
  ["anthropic/*", "anthropic/org/claude", true],
  ["anthropic/*", "anthropic-evil/claude", false],
  ["*/claude-*", "else/claude-x", true],
  ["*", "anthropic/claude-x", true],
  ["*claude*", "anthropic/claude-x", true],
])("`%s` and `%s`", (pattern, model, does) => expect(covers(pattern, model)).toBe(does));

it.each(["claude-x", "claude-*", "anthropic*", "/claude", "anthropic/", ""])(
  "`%s` would cover no model, so that a deny of it would be void",
  (pattern) => expect(covers(pattern, "anthropic/claude-x")).toContain("is not a provider and a model"),
);

it("has no other wildcards", () => expect(covers("anthropic/claude-?", "x")).toContain("`?`"));
