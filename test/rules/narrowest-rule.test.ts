import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import type { Touch } from "../../src/domain/touch.ts";
import { narrowestRule } from "../../src/rules/narrowest-rule.ts";
import { decisionOn, rulesFrom, touchesIn, WORKSPACE } from "../shell/judged.ts";

const ruleFor = (touches: readonly Touch[]) => narrowestRule("run_command", touches, WORKSPACE);

function reasonOf(touches: readonly Touch[]): string {
  const made = ruleFor(touches);
  return "reason" in made ? made.reason : "none";
}

describe("the rule for always", () => {
  it.each<[line: string, patterns: readonly string[], others: readonly string[]]>([
    ["npm test", ["npm test"], ["npm", "npm test x", "npm run test", "./npm test", "A=1 npm test"]],
    ["timeout 5 nice npm test", ["npm test"], ["timeout", "nice ls", "timeout 5 rm"]],
    ["bash -c 'cd src && npm test'", ["cd src", "npm test"], ["bash", "cd x", "bash -c ls"]],
    ["git commit -m 'a b; c'", ["git commit -m 'a b; c'"], ["git commit -m 'a b'", "git commit -m a 'b; c'"]],
    ["echo 'it'\\''s' '*' '**' ''", ["echo 'it'\\''s' '*' '**' ''"], ["echo it", 'echo "it\'s" x y z']],
    ["sed -i s/a/b/ f", ["sed -i s/a/b/ f"], ["sed -i s/a/c/ f", "sed s/a/b/ f"]],
    ["A=1 npm test", ["A=1 npm test"], ["A=2 npm test", "npm test x"]],
    ["sudo npm test", ["sudo npm test", "npm test"], ["sudo ls", "sudo rm x"]],
    ["git commit -m 'a\nb'", ["git commit -m 'a\nb'"], ["git commit -m a"]],
    ["npm test && npm test", ["npm test"], ["npm x"]],
  ])("%s", (line, patterns, others) => {
    const made = ruleFor(touchesIn(line));
    if ("reason" in made) throw new Error(made.reason);
    expect(made.rule.touch?.exec).toEqual(patterns);
    expect(parse(`rules:\n${made.yaml}`)).toEqual({ rules: [made.rule] });
    const rules = rulesFrom(made.rule);
    expect(decisionOn(rules, line)).toBe("allow");
    for (const other of others) expect([other, decisionOn(rules, other)]).toEqual([other, "deny"]);
  });

  it("names files, hosts and tools as well, and each by itself", () => {
    const made = ruleFor([
      { kind: "write", path: "/ws/a*.txt" },
      { kind: "read", path: "/etc/hosts" },
      { kind: "connect", host: "example.com", port: 443, scheme: "https" },
      { kind: "connect", host: "::1", port: 80, scheme: "http" },
      { kind: "tool", name: "github.search", definitionDigest: "" as never },
    ]);
    expect(made).toMatchObject({
      rule: {
        effect: "allow",
        tools: ["run_command"],
        touch: {
          write: ["./a\\*.txt"],
          read: ["/etc/hosts"],
          connect: ["example.com:443", "[::1]:80"],
          tool: ["github.search"],
        },
      },
    });
    if ("rule" in made) rulesFrom(made.rule);
  });

  it("is in the root folder what it is elsewhere", () =>
    expect(narrowestRule("x", [{ kind: "write", path: "/a" }], "/")).toMatchObject({
      rule: { touch: { write: ["./a"] } },
    }));

  it.each<[string, readonly Touch[], RegExp]>([
    ["a word that is not known", touchesIn("ls $x"), /`\$x` is known only when it runs/],
    ["what can't be read", touchesIn("$x"), /what can't be read can't be allowed/],
    ["a program that can be changed", touchesIn("./run.sh"), /`.\/run.sh` lies where it can be changed/],
    [
      "no program",
      [{ kind: "exec", program: null, origin: "nowhere", argv: [{ text: "x", known: true }] }],
      /there is no program `x`/,
    ],
    ["a long command", touchesIn(`echo ${"x".repeat(5001)}`), /too long for a rule/],
    ["a whole folder", [{ kind: "read", path: "/ws", tree: true }], /a whole folder/],
    ["a model", [{ kind: "model", provider: "a", model: "b", tokensMax: 1 }], /no rule can name what a `model` touch/],
  ])("there is none for %s", (_, touches, reason) => expect(reasonOf(touches)).toMatch(reason));
});
