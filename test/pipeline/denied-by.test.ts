import { describe, expect, it } from "vitest";
import type { TouchVerdict } from "../../src/domain/call.ts";
import type { Touch, Word } from "../../src/domain/touch.ts";
import { deniedBy } from "../../src/pipeline/denied-by.ts";
import { plannedCall, READ } from "../support/sample-calls.ts";

const { plan } = plannedCall();
const exec = (...argv: readonly Word[]): Touch => ({ kind: "exec", program: null, origin: "toolchain", argv });
const verdict = (more: Partial<TouchVerdict>): TouchVerdict => ({
  touch: READ,
  effect: "deny",
  ruleId: "deny-env",
  because: "secrets",
  ...more,
});

describe("the refusal of a denied touch", () => {
  it("names the rule, what it denies, why, and what to do", () =>
    expect(deniedBy(verdict({}), plan)).toEqual({
      code: "RULE_DENY",
      stage: "judge",
      ruleId: "deny-env",
      message: "rule `deny-env` denies read `a.txt`: secrets",
      hint: "a deny can't be overruled by another rule or a person; if it is wrong, change that rule",
    }));

  it("sends nobody to change a rule that stands in no file", () =>
    expect(deniedBy(verdict({ ruleId: "builtin:own-state" }), plan).hint).toBe(
      "it is a rule of the gate's own, which no other rule and no person can overrule",
    ));

  it("has no reason where the rule has none", () =>
    expect(deniedBy(verdict({ because: null }), plan).message).toBe("rule `deny-env` denies read `a.txt`"));

  it("is a policy fault where the rule could not be decided", () =>
    expect(deniedBy(verdict({ fault: "no such key" }), plan)).toMatchObject({
      code: "POLICY_FAULT",
      ruleId: "deny-env",
      message: "rule `deny-env` can't judge read `a.txt`: no such key",
    }));

  it("is a default deny where there is no rule", () =>
    expect(deniedBy(verdict({ ruleId: null, because: null }), plan)).toEqual({
      code: "DEFAULT_DENY",
      stage: "judge",
      message: "no rule covers read `a.txt`",
      hint: "if it should be possible, add a rule for it to toolgate.yaml; `toolgate explain sample JSON` shows how each touch is judged",
    }));

  it.each<[string, Touch, string]>([
    ["a file", READ, "add a rule for it to toolgate.yaml"],
    ["a command", exec({ text: "ls", known: true }), "add a rule for it to toolgate.yaml"],
    [
      "a word known at run time",
      exec({ text: "echo", known: true }, { text: "$i", known: false }),
      "add a rule with `dynamic: true` for it to toolgate.yaml",
    ],
    [
      "what can't be read",
      { kind: "unknown", reason: "code from a pipe" },
      "add a rule with `touch: { unknown: true }` to toolgate.yaml",
    ],
  ])("says what the rule needs that would cover %s", (_, touch, hint) =>
    expect(deniedBy(verdict({ touch, ruleId: null, because: null }), plan).hint).toContain(hint),
  );

  it.each([
    ["git.log", "git.log"],
    ["github/resources/repo://a/b", "github/resources/repo://a/b"],
    ["a/resources/x://$(touch y)", "TOOL"],
    ["a/prompts/x; y", "TOOL"],
    ["a/prompts/`x`", "TOOL"],
    ["a/prompts/x\ny", "TOOL"],
    ["--config", "TOOL"],
    ["", "TOOL"],
  ])("of a tool called %j has a hint that can be pasted", (tool, shown) =>
    expect(deniedBy(verdict({ ruleId: null, because: null }), { ...plan, tool }).hint).toContain(
      `\`toolgate explain ${shown} JSON\``,
    ),
  );
});
