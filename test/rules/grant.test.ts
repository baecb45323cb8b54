import { describe, expect, it } from "vitest";
import type { CallFacts } from "../../src/domain/call-facts.ts";
import { EVERYTHING, type Lease } from "../../src/domain/lease.ts";
import type { Grant } from "../../src/domain/plan.ts";
import type { ExecTouch, Touch } from "../../src/domain/touch.ts";
import { compileConnectPattern } from "../../src/rules/connect-pattern.ts";
import { cutByLease, type Granted } from "../../src/rules/grant.ts";
import { compilePathPattern, type PathPattern } from "../../src/rules/path-pattern.ts";
import { common, coversName, coversPath } from "../../src/rules/pattern-algebra.ts";
import type { RuleSource } from "../../src/rules/rule.ts";
import { factsFor, rulesOf } from "./sample-facts.ts";

const WORKSPACE = "/workspace";

const exec = (line: string, origin: ExecTouch["origin"] = "toolchain"): Touch => ({
  kind: "exec",
  program: origin === "shell" ? null : `/usr/bin/${line.split(" ")[0]}`,
  origin,
  argv: line.split(" ").map((text) => ({ text, known: true })),
});

const NPM: RuleSource = {
  id: "npm",
  effect: "allow",
  touch: { exec: ["npm **"] },
  grant: { write: ["./**"], connect: ["registry.example:443"] },
};
const LS: RuleSource = { id: "ls", effect: "allow", touch: { exec: ["ls **"] } };
const BUILD: RuleSource = {
  id: "build",
  effect: "ask",
  touch: { exec: ["make **"] },
  grant: { read: ["/opt/data/**"], write: ["./build/**"] },
};
const ANY_HOST: RuleSource = {
  id: "curl",
  effect: "allow",
  touch: { exec: ["curl **"] },
  grant: { connect: ["*:443"] },
};
const LOCAL: RuleSource = {
  id: "psql",
  effect: "allow",
  touch: { exec: ["psql **"] },
  grant: { connect: ["localhost:443"] },
};
const SHELL: RuleSource = { id: "shell", effect: "allow", touch: { exec: ["cd **", "echo **"] } };

function granted(
  rules: readonly RuleSource[],
  touches: readonly Touch[],
  more: Partial<CallFacts> = {},
): Granted | null {
  const set = rulesOf(rules, WORKSPACE);
  const facts = factsFor("run_command", { containment: "sandbox", touches, ...more });
  return set.grant({ facts, verdicts: touches.map((touch) => set.judge(touch, facts)) });
}

const grantOf = (...given: Parameters<typeof granted>): Partial<Grant> | undefined => {
  const grant = granted(...given)?.grant;
  return grant && Object.fromEntries(Object.entries(grant).filter(([, patterns]) => patterns.length > 0));
};

describe("the grant of a call", () => {
  const base = { read: ["./**"] };
  const NPM_HOST = { ...base, connect: ["registry.example:443"] };
  const LOCAL_HOST = { ...base, connect: ["localhost:443"] };
  it.each<[string, readonly RuleSource[], readonly Touch[], object | undefined]>([
    ["no program, no grant", [], [{ kind: "read", path: "/workspace/a" }], undefined],
    ["nothing granted: the workspace, to be read", [LS], [exec("ls -l")], base],
    [
      "what the rule grants",
      [NPM],
      [exec("npm test")],
      { ...base, write: ["./**"], connect: ["registry.example:443"] },
    ],
    ["an ask grants too", [BUILD], [exec("make all")], { read: ["./**", "/opt/data/**"], write: ["./build/**"] }],
    [
      "several rules together",
      [NPM, { ...BUILD, touch: { exec: ["npm test"] } }],
      [exec("npm test")],
      { read: ["./**", "/opt/data/**"], write: ["./**", "./build/**"], connect: ["registry.example:443"] },
    ],
    ["two programs: what both may", [NPM, BUILD], [exec("npm test"), exec("make")], { ...base, write: ["./build/**"] }],
    ["any host, and a host by its name: that host", [ANY_HOST, NPM], [exec("curl x"), exec("npm test")], NPM_HOST],
    ["any host, and a host of this machine: none", [ANY_HOST, LOCAL], [exec("curl x"), exec("psql")], base],
    ["the same host of this machine twice: that host", [LOCAL], [exec("psql"), exec("psql")], LOCAL_HOST],
    ["one that may nothing: nothing", [NPM, LS], [exec("npm test"), exec("ls")], base],
    [
      "the shell's own commands start nothing",
      [NPM, SHELL],
      [exec("cd x", "shell"), exec("npm test")],
      { ...base, write: ["./**"], connect: ["registry.example:443"] },
    ],
    [
      "only the shell's own",
      [{ ...SHELL, grant: { write: ["./a"] } }],
      [exec("echo x", "shell")],
      { ...base, write: ["./a"] },
    ],
    [
      "an `otherwise` rule is silent where another speaks",
      [LS, { ...NPM, touch: { exec: ["**"] }, otherwise: true }],
      [exec("ls")],
      base,
    ],
    [
      "and speaks where none does",
      [{ ...NPM, touch: { exec: ["**"] }, otherwise: true }],
      [exec("ls")],
      { ...base, write: ["./**"], connect: ["registry.example:443"] },
    ],
    ["a rule for another tool", [LS, { ...NPM, touch: { exec: ["ls **"] }, tools: ["other"] }], [exec("ls")], base],
    [
      "a condition that holds",
      [{ ...NPM, when: "call.tool == 'run_command'" }],
      [exec("npm test")],
      { ...base, write: ["./**"], connect: ["registry.example:443"] },
    ],
    [
      "a condition that does not",
      [
        { ...LS, touch: { exec: ["npm **"] } },
        { ...NPM, when: "call.tool == 'other'" },
      ],
      [exec("npm test")],
      base,
    ],
    [
      "git operations",
      [{ id: "g", effect: "allow", touch: { git: ["COMMIT"] }, grant: { write: ["./**"] } }],
      [{ kind: "git", operation: "COMMIT", arguments: [], repository: "/workspace" }],
      { ...base, write: ["./**"] },
    ],
    ["a touch that no rule covers has no rule", [NPM], [exec("ls")], base],
  ])("%s", (_, rules, touches, expected) => expect(grantOf(rules, touches)).toEqual(expected));

  it.each<[string, RuleSource, object]>([
    ["a deny of reading hides", { id: "d", effect: "deny", touch: { read: ["./**/.env"] } }, { hide: ["./**/.env"] }],
    [
      "a deny of writing keeps",
      { id: "d", effect: "deny", touch: { write: ["./.git/**"] } },
      { readOnly: ["./.git/**"] },
    ],
    ["so does a deny of deleting", { id: "d", effect: "deny", touch: { delete: ["./db"] } }, { readOnly: ["./db"] }],
    [
      "an ask keeps back what nobody is asked about",
      { id: "d", effect: "ask", touch: { read: ["./x"] } },
      { hide: ["./x"] },
    ],
    ["hosts too", { id: "d", effect: "deny", touch: { connect: ["*.evil:*"] } }, { noConnect: ["*.evil:*"] }],
    ["a deny of all connections", { id: "d", effect: "deny", touch: { connect: ["*:*"] } }, { noConnect: ["*:*"] }],
    [
      "elsewhere it is of no concern",
      { id: "d", effect: "deny", touch: { read: ["/etc/**"], write: ["/etc/**"] } },
      {},
    ],
    [
      "an `otherwise` deny is silent: the grant speaks",
      { id: "d", effect: "deny", otherwise: true, touch: { read: ["./x"] } },
      {},
    ],
    ["an allow keeps nothing back", { id: "d", effect: "allow", touch: { read: ["./x"] } }, {}],
    ["a rule for another tool", { id: "d", effect: "deny", tools: ["other"], touch: { read: ["./x"] } }, {}],
    [
      "a condition about the call that holds",
      { id: "d", effect: "deny", touch: { write: ["./x"] }, when: "session.id == 'session_1'" },
      { readOnly: ["./x"] },
    ],
    [
      "a condition about the call that does not",
      { id: "d", effect: "deny", touch: { write: ["./x"] }, when: "session.id == 'other'" },
      {},
    ],
  ])("%s", (_, rule, kept) => {
    const npm = { ...base, write: ["./**"], connect: ["registry.example:443"] };
    expect(grantOf([NPM, rule], [exec("npm test")])).toEqual({ ...npm, ...kept });
  });

  it("a rule without a pattern closes everything that it is about", () => {
    const rule: RuleSource = {
      id: "d",
      effect: "ask",
      containment: ["sandbox"],
      when: "session.id == 'session_1'",
      tools: ["run_*"],
    };
    const { grant } = granted([NPM, rule], [exec("npm test")]) as Granted;
    // Asked about as a whole, so nothing is kept back.
    expect([grant.hide, grant.readOnly, grant.noConnect]).toEqual([[], [], []]);
    const denied = granted([NPM, { ...rule, effect: "deny" }], [exec("npm test")]) as Granted;
    expect([denied.grant.hide, denied.grant.readOnly, denied.grant.noConnect]).toEqual([["/**"], ["/**"], ["*:*"]]);
  });

  it("who is asked about the call is asked about what it may do", () => {
    const asks: RuleSource = { id: "a", effect: "ask", touch: { write: ["./x"], read: ["./y"] } };
    expect(grantOf([BUILD, asks], [exec("make")])).not.toHaveProperty("readOnly");
    expect(grantOf([{ ...BUILD, effect: "allow", grant: { write: ["./**"] } }, asks], [exec("make")])).toMatchObject({
      readOnly: ["./x"],
      hide: ["./y"],
    });
  });

  it("a condition about each path speaks for the whole call", () => {
    const rule: RuleSource = {
      id: "d",
      effect: "deny",
      touch: { write: ["./**"] },
      when: "touch.path.endsWith('.sql')",
    };
    expect(granted([NPM, rule], [exec("npm test")])?.spoken).toMatchObject([
      { ruleId: "d", effect: "deny", touch: { kind: "write", path: "/workspace", tree: true } },
    ]);
    expect(granted([LS, rule], [exec("ls")])?.spoken).toEqual([]);
  });

  it("a single file that is granted and denied stays as it is", () => {
    const one: RuleSource = { ...LS, grant: { write: ["./a"] } };
    const rule: RuleSource = { id: "d", effect: "deny", touch: { write: ["./a"] } };
    expect(grantOf([one, rule], [exec("ls")])).toEqual({ ...base, write: ["./a"], readOnly: ["./a"] });
  });

  it("nothing is said of hosts where none is granted", () => {
    const rule: RuleSource = { id: "d", effect: "deny", touch: { connect: ["*:*"] } };
    expect(grantOf([LS, rule], [exec("ls")])).toEqual(base);
  });

  it("a rule about everything and no file of the grant", () => {
    const rule: RuleSource = {
      id: "d",
      effect: "deny",
      touch: { read: ["/etc/**"], connect: ["evil:1"] },
      when: "touch.host == 'x'",
    };
    expect(granted([NPM, rule], [exec("npm test")])?.spoken).toMatchObject([
      { effect: "deny", touch: { kind: "connect" } },
    ]);
  });

  it("a condition that can't be decided denies the whole call", () => {
    const rule: RuleSource = { id: "d", effect: "ask", touch: { read: ["./**"] }, when: "call.input.nosuch == 1" };
    expect(granted([NPM, rule], [exec("npm test")])?.spoken).toMatchObject([
      { ruleId: "d", effect: "deny", fault: expect.any(String) },
    ]);
  });

  it("the whole machine as a workspace is no pattern, and nothing is granted", () => {
    const set = rulesOf([LS], "/");
    const facts = factsFor("run_command");
    const touch = exec("ls");
    expect(set.grant({ facts, verdicts: [set.judge(touch, facts)] })?.grant.read).toEqual(["./**"]);
  });
});

const pattern = (text: string): PathPattern => {
  const compiled = compilePathPattern(text, WORKSPACE);
  if ("error" in compiled) throw new Error(compiled.error);
  return compiled;
};

const host = (text: string) => {
  const compiled = compileConnectPattern(text);
  if ("error" in compiled) throw new Error(compiled.error);
  return compiled;
};

describe("a lease cuts", () => {
  const grant = {
    read: [pattern("./**")],
    write: [pattern("./a/**"), pattern("./b/**")],
    connect: [host("h:1"), host("localhost:3000")],
  };
  const cut = (lease: Partial<Lease>, within?: Partial<Lease>) => {
    const whole = { ...EVERYTHING, ...lease, ...(within && { within: { ...EVERYTHING, ...within } }) };
    const { read: r, write: w, connect } = cutByLease(grant, whole, WORKSPACE);
    return [r, w, connect].map((patterns) => patterns.map(({ text }) => text));
  };
  it.each<[Partial<Lease>, string[][]]>([
    [{}, [["./**"], ["./a/**", "./b/**"], ["h:1", "localhost:3000"]]],
    [{ read: ["./src/**"] }, [["./src/**"], ["./a/**", "./b/**"], ["h:1", "localhost:3000"]]],
    [{ write: ["./a/x/**", "./c/**"], hosts: ["h:*"] }, [["./**"], ["./a/x/**"], ["h:1"]]],
    [{ read: [], write: [], hosts: [] }, [[], [], []]],
    [{ read: ["../bad"], write: ["./**"], hosts: ["*:*"] }, [[], ["./a/**", "./b/**"], ["h:1"]]],
    [{ hosts: ["localhost:3000"] }, [["./**"], ["./a/**", "./b/**"], ["localhost:3000"]]],
  ])("%j", (lease, expected) => expect(cut(lease)).toEqual(expected));

  it("more, the more leases there are within each other", () => {
    expect(cut({ write: ["./a/**"], hosts: ["h:1"] }, { write: ["./b/**"], read: ["./x"] })).toEqual([
      ["./x"],
      [],
      ["h:1"],
    ]);
  });
});

describe("patterns", () => {
  it.each([
    ["./**", "./a/b", true],
    ["./**", "./**", true],
    ["./a", "./a", true],
    ["./a", "./b", false],
    ["./a", "./a/b", false],
    ["./a/b", "./a", false],
    ["./a", "./**", false],
    ["./*", "./a", true],
    ["./*", "./*.ts", true],
    ["./a*", "./ab", false],
    ["./a*", "./a*", true],
    ["./a*", "./b*", false],
    ["./a", "./a*", false],
    ["**/a", "./x/a", true],
    ["**/a", "./x/b", false],
    ["./**/a/**", "./x/a/y/**", true],
    ["./**/a", "./**/a", true],
    ["./**/a/**/b", "./a/x/a/b", true],
    ["./**/a/**/b", "./b/x/a", false],
    ["./**/a/b", "./a/a/b", true],
    ["./**/a/*/b", "./**/a/c/b", true],
    ["./**/a/*/b", "./a/**/b", false],
  ])("%s covers %s: %s", (wide, narrow, expected) => expect(coversPath(pattern(wide), pattern(narrow))).toBe(expected));

  it("in a time that grows with their length only, however many `**` there are", () => {
    // By trying all places of each `**`, this would take longer than anybody lives.
    const wide = pattern(`/${"**/a/".repeat(60)}b`);
    expect(coversPath(wide, pattern(`/${"a/".repeat(120)}c`))).toBe(false);
    expect(coversPath(wide, pattern(`/${"a/".repeat(120)}b`))).toBe(true);
  });

  it("of names", () => {
    const name = (text: string, matches: (name: string) => boolean = (other) => other === text) => ({
      text,
      matches,
      head: [],
      last: null,
    });
    expect(
      coversName(
        name("*.x:1", () => true),
        name("a.x:1"),
      ),
    ).toBe(true);
    expect(
      coversName(
        name("*.x:1", () => true),
        name("*.y:1"),
      ),
    ).toBe(false);
    expect(coversName(name("*.x:1"), name("*.x:1"))).toBe(true);
    expect(coversName(name("a:1"), name("b:1"))).toBe(false);
    expect(common([name("a:1"), name("b:1")], [name("b:1")], coversName).map(({ text }) => text)).toEqual(["b:1"]);
  });
});

it.each([
  ["PUSH", true],
  ["*", true],
  ["push", false],
  ["PUSHX", false],
])("the operation %s", (operation, isOne) => {
  const compile = () => rulesOf([{ id: "g", effect: "allow", touch: { git: [operation] } }]);
  if (!isOne) expect(compile).toThrow("no operation of git");
  else
    expect(
      compile().judge({ kind: "git", operation: "PUSH", arguments: [], repository: "/w" }, factsFor("git")).effect,
    ).toBe("allow");
});
