import { describe, expect, it } from "vitest";
import type { Touch } from "../../src/domain/touch.ts";
import { narrowestRule } from "../../src/rules/narrowest-rule.ts";
import { decisionOn, rulesFrom, touchesIn, WORKSPACE } from "../shell/judged.ts";

const ruleFor = (touches: readonly Touch[]) =>
  narrowestRule({ effect: "allow", tool: "run_command", touches, workspace: WORKSPACE });

function reasonOf(touches: readonly Touch[]): string {
  const made = ruleFor(touches);
  return made.ok ? "none" : made.because;
}

describe("the rule for always, of commands", () => {
  it.each<[line: string, patterns: readonly string[], others: readonly string[]]>([
    ["npm test", ["npm test"], ["npm", "npm test x", "npm run test", "./npm test", "A=1 npm test"]],
    ["timeout 5 nice npm test", ["npm test"], ["timeout", "nice ls", "timeout 5 rm"]],
    ["bash -c 'cd src && npm test'", ["cd src", "npm test"], ["bash", "cd x", "bash -c ls"]],
    ["git commit -m 'a b; c'", ["git commit -m 'a b; c'"], ["git commit -m 'a b'", "git commit -m a 'b; c'"]],
    ["echo 'it'\\''s' '*' '**' ''", ["echo 'it'\\''s' '*' '**' ''"], ["echo it", 'echo "it\'s" x y z']],
    ["sed -i s/a/b/ f", ["sed -i s/a/b/ f"], ["sed -i s/a/c/ f", "sed s/a/b/ f"]],
    ["A=1 npm test", ["A=1 npm test"], ["A=2 npm test", "npm test x"]],
    ["env -u A npm test", ["A= npm test"], ["A=1 npm test", "env -u B npm test"]],
    ["sudo npm test", ["sudo npm test", "npm test"], ["sudo ls", "sudo rm x"]],
    ["git commit -m 'a\nb'", ["git commit -m 'a\nb'"], ["git commit -m a"]],
    ["npm test && npm test", ["npm test"], ["npm x"]],
  ])("%s", (line, patterns, others) => {
    const made = ruleFor(touchesIn(line));
    if (!made.ok) throw new Error(made.because);
    expect(made.rule.touch?.exec).toEqual([...patterns].sort());
    const rules = rulesFrom(made.rule);
    expect(decisionOn(rules, line)).toBe("allow");
    for (const other of others) expect([other, decisionOn(rules, other)]).toEqual([other, "deny"]);
  });

  it.each<[string, readonly Touch[], RegExp]>([
    ["a word that is not known", touchesIn("ls $x"), /`\$x` is known only when it runs/],
    ["what can't be read", touchesIn("$x"), /can't be read beforehand/],
    ["a program that can be changed", touchesIn("./run.sh"), /`.\/run.sh` lies where it can be changed/],
    [
      "no program",
      [{ kind: "exec", program: null, origin: "nowhere", argv: [{ text: "x", known: true }] }],
      /there is no program `x`/,
    ],
    ["a long command", touchesIn(`echo ${"x".repeat(5001)}`), /too long for a rule/],
  ])("there is none for %s", (_, touches, reason) => expect(reasonOf(touches)).toMatch(reason));
});
