import { describe, expect, it } from "vitest";
import { UsageError } from "../../../src/doors/cli/command.ts";
import { init } from "../../../src/doors/cli/init.ts";
import { rules } from "../../../src/doors/cli/rules.ts";
import { openCli } from "../../support/run-cli.ts";
import { invoked } from "./invoked.ts";

const GOOD = `rules:
  - id: open
    effect: allow
    touch: { read: ["./**"] }
    because: harmless
    examples: { match: [read ./a], noMatch: [write ./a] }
  - id: secrets
    effect: deny
    touch: { read: [./secret] }
  - id: rest
    effect: ask
    otherwise: true
  - id: erring
    effect: allow
    tools: [erring]
    when: call.input.x == 1
`;
const BAD = `rules:
  - { id: a, effect: ask, when: rsk == 1 }
  - { id: b, effect: ask, touch: { read: [./x] }, examples: { match: [read ./x, read ./y] } }
`;

describe("rules check", () => {
  it("says that all is good, and that it is not in force yet", async () => {
    using cli = openCli();
    cli.put("toolgate.yaml", GOOD);
    expect(await invoked(cli, rules, ["check"])).toMatchObject({
      code: 0,
      out: "good toolgate.yaml: 4 rules\n",
      err: "toolgate.yaml is not in force: `toolgate trust` accepts it\n",
    });
    expect(await invoked(cli, rules, [], { flags: { config: "toolgate.yaml" } })).toMatchObject({ code: 0, err: "" });
  });

  it("names every problem with its place", async () => {
    using cli = openCli();
    cli.put("toolgate.yaml", BAD);
    expect(await invoked(cli, rules, ["check"])).toMatchObject({
      code: 1,
      out: [
        "bad toolgate.yaml: 2 problems, so nothing is allowed",
        "  toolgate.yaml:2:33: the condition can't be read: unknown variable: rsk",
        "  toolgate.yaml:3:81: the rule does not cover its example `read ./y`",
        "    hint widen the rule, or take the example out\n",
      ].join("\n"),
    });
  });

  it("says the same as JSON", async () => {
    using cli = openCli();
    cli.put("toolgate.yaml", GOOD);
    const good = await invoked(cli, rules, ["check"], { flags: { json: true } });
    expect(JSON.parse(good.out)).toEqual({
      ok: true,
      notes: [],
      path: "toolgate.yaml",
      trusted: false,
      rules: 4,
      examples: 2,
      problems: [],
    });
    cli.put("toolgate.yaml", BAD);
    const bad = await invoked(cli, rules, ["check"], { flags: { json: true } });
    expect([bad.code, JSON.parse(bad.out)]).toMatchObject([
      1,
      { ok: false, rules: null, problems: [{ line: 2 }, { line: 3 }] },
    ]);
  });
});

describe("a rule with `options: any`", () => {
  const OPEN = `rules:
  - { id: tool, effect: allow, options: any, touch: { exec: ["mytool **"] } }
  - { id: other, effect: allow, touch: { exec: ["other **"] } }
`;

  it("is named by `rules check`", async () => {
    using cli = openCli();
    cli.put("toolgate.yaml", OPEN);
    expect((await invoked(cli, rules, ["check"])).err).toContain(
      "note toolgate.yaml:2:41: `options: any` lets `mytool **` take options that are not known to be harmless\n",
    );
  });

  it("is what `rules explain` names where no rule covers an option", async () => {
    using cli = openCli();
    cli.put("toolgate.yaml", OPEN);
    expect((await invoked(cli, rules, ["explain", "mytool --x a"])).out).toContain("allow");
    expect((await invoked(cli, rules, ["explain", "other --x a"])).out).toBe(
      [
        "deny exec `other --x a`; `--x` is an option that is not known to be harmless  no rule covers it",
        "  no wildcard covers `--x`: only a pattern that has the word itself does, or gives the rule `options: any`\n",
      ].join("\n"),
    );
  });
});

describe("rules test", () => {
  it("tries each example", async () => {
    using cli = openCli();
    cli.put("toolgate.yaml", GOOD);
    expect(await invoked(cli, rules, ["test"])).toMatchObject({
      code: 0,
      out: "ok   open covers read ./a\nok   open leaves write ./a\n2 examples\n",
      err: "",
    });
  });

  it("tries those of a config that does not load as well", async () => {
    using cli = openCli();
    cli.put("toolgate.yaml", BAD);
    const ended = await invoked(cli, rules, ["test"]);
    expect(ended).toMatchObject({ code: 1, out: "ok   b covers read ./x\nfail b covers read ./y\n2 examples\n" });
    expect(ended.err).toMatch(/^bad toolgate\.yaml: 2 problems/);
    const json = await invoked(cli, rules, ["test"], { flags: { json: true } });
    expect(JSON.parse(json.out)).toMatchObject({ ok: false, examples: [{ holds: true }, { holds: false }] });
  });
});

describe("rules explain", () => {
  it.each<[words: string, tool: string | undefined, out: string]>([
    [
      "read ./a",
      undefined,
      "allow read `a`  open\n> allow open  harmless\n  ask   rest  only where no other rule speaks\n",
    ],
    [
      "read ./secret",
      undefined,
      "deny read `secret`  secrets\n> deny  secrets\n  allow open  harmless\n  ask   rest  only where no other rule speaks\n",
    ],
    ["write ./a", undefined, "ask write `a`  rest\n> ask   rest  only where no other rule speaks\n"],
    [
      "delete ./a",
      "erring",
      "deny delete `a`  erring\n> fault erring\n  ask   rest  only where no other rule speaks\n  its condition can't be decided: no such key: x\n",
    ],
  ])("%s by %s", async (words, tool, out) => {
    using cli = openCli();
    cli.put("toolgate.yaml", GOOD);
    const flags = { config: "toolgate.yaml", ...(tool && { tool }) };
    expect(await invoked(cli, rules, ["explain", ...words.split(" ")], { flags })).toMatchObject({
      code: 0,
      out,
      err: "",
    });
  });

  it("says that no rule covers it", async () => {
    using cli = openCli();
    cli.put("toolgate.yaml", "rules: []");
    const { out, err } = await invoked(cli, rules, ["explain", "connect a.b:1"]);
    expect([out, err]).toEqual(["deny connect `a.b:1`  no rule covers it\n", expect.stringContaining("not in force")]);
  });

  it("says the same as JSON", async () => {
    using cli = openCli();
    cli.put("toolgate.yaml", GOOD);
    const { out } = await invoked(cli, rules, ["explain", "tool x"], { flags: { json: true } });
    expect(JSON.parse(out)).toMatchObject({
      touch: { kind: "tool", name: "x" },
      decision: "ask",
      ruleId: "rest",
      covering: [{ ruleId: "rest" }],
    });
  });

  it("has nothing to explain but the problems where there are any", async () => {
    using cli = openCli();
    cli.put("toolgate.yaml", BAD);
    expect(await invoked(cli, rules, ["explain", "read ./a"])).toMatchObject({
      code: 1,
      out: expect.stringMatching(/^bad /),
    });
  });
});

describe("what is not understood", () => {
  it.each<[words: readonly string[], message: string]>([
    [["nope"], "`rules nope` does not exist"],
    [["toString"], "`rules toString` does not exist"],
    [["check", "x"], "`x` is one word too many"],
    [["explain"], "nothing to explain is given"],
    [["explain", "exec"], "no command is named"],
    [["explain", "read", "a"], "`a` is not a path in its plainest form"],
    [["explain", "raed ./x"], "`raed` is not a kind of touch: did you mean `read`"],
    [["explain", "wrtie", "./x"], "`wrtie` is not a kind of touch: did you mean `write`"],
    [["explain", "delet ./x"], "`delet` is not a kind of touch: did you mean `delete`"],
  ])("%j", async (words, message) => {
    using cli = openCli();
    cli.put("toolgate.yaml", GOOD);
    await expect(invoked(cli, rules, words)).rejects.toThrow(message);
  });

  it("is no mistyped kind, which a command of any other name is not", async () => {
    using cli = openCli();
    cli.put("toolgate.yaml", GOOD);
    for (const words of [["node ./x"], ["vite build"], ["exec raed ./x"], ["make"]])
      expect(await invoked(cli, rules, ["explain", ...words]), words[0]).toMatchObject({ code: 0 });
  });

  it("is a folder without a config", async () => {
    using cli = openCli();
    await expect(invoked(cli, rules, ["check"])).rejects.toThrow(UsageError);
  });
});

describe("init --profile", () => {
  it("writes the rules that were asked for", async () => {
    using cli = openCli();
    const { code, out } = await invoked(cli, init, [], { flags: { profile: "risk" } });
    expect([code, out]).toEqual([0, expect.stringContaining("of medium or high risk asked about")]);
    const explained = await invoked(cli, rules, ["explain", "write ./a.exe"]);
    expect([explained.out.split("\n")[0], explained.err]).toEqual(["ask write `a.exe`  high-risk", ""]);
  });

  it("knows two of them", async () => {
    using cli = openCli();
    await expect(invoked(cli, init, [], { flags: { profile: "yolo" } })).rejects.toThrow("`yolo` is not a profile");
    expect(cli.has("toolgate.yaml")).toBe(false);
  });
});
