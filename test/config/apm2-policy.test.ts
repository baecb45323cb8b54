import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { commandFromApm2, rulesFromApm2 } from "../../src/config/apm2-rules.ts";
import { isApm2Tool } from "../../src/config/apm2-tools.ts";
import { type Config, loadConfig } from "../../src/config/config.ts";
import type { JsonObject } from "../../src/domain/json.ts";
import type { Touch } from "../../src/domain/touch.ts";
import { compilePathPattern } from "../../src/rules/path-pattern.ts";
import type { PatternError } from "../../src/rules/pattern-error.ts";
import { touchesFromWords } from "../../src/rules/touches-from-words.ts";
import { factsFor, rulesOf } from "../rules/sample-facts.ts";
import { withSharedData } from "../support/parts.ts";

interface Loaded extends Disposable {
  readonly config: Config | null;
  readonly problems: readonly string[];
  readonly workspace: string;
}

const POLICY = {
  version: "1.0.0",
  name: "test",
  default_decision: "deny",
  rules: [{ id: "read", type: "tool_allow", decision: "allow", tool: "fs.read", paths: ["./**"] }],
};

function load(policy: JsonObject): Loaded {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "toolgate-apm2-")));
  const workspace = join(folder, "ws");
  mkdirSync(workspace);
  writeFileSync(join(folder, "policy.yaml"), JSON.stringify(policy));
  writeFileSync(join(folder, "toolgate.yaml"), JSON.stringify({ workspace: "ws", rulesFiles: ["policy.yaml"] }));
  const loaded = loadConfig({ path: join(folder, "toolgate.yaml"), variables: {} });
  return {
    config: loaded.ok ? loaded.config : null,
    problems: loaded.ok ? [] : loaded.problems.map(({ line, column, message }) => `${line}:${column} ${message}`),
    workspace,
    [Symbol.dispose]: () => rmSync(folder, { recursive: true }),
  };
}

function effects(rules: readonly JsonObject[], tool: string, words: string): readonly string[] {
  using loaded = load({ policy: { ...POLICY, rules } });
  if (loaded.config === null) throw new Error(loaded.problems.join("\n"));
  const { config, workspace } = loaded;
  const operation = /^git ([A-Z]+)$/.exec(words)?.[1];
  const touches: readonly Touch[] | PatternError =
    operation === undefined
      ? touchesFromWords(words, workspace)
      : [{ kind: "git", operation, arguments: [], repository: workspace }];
  if ("error" in touches) throw new Error(touches.error);
  return touches.map((touch) => {
    const { effect, ruleId } = config.rules.judge(touch, { ...factsFor(tool), touches });
    return `${effect} ${ruleId}`;
  });
}

const rule = (more: JsonObject): JsonObject => ({ id: "r", type: "tool_allow", decision: "allow", ...more });

describe("a policy file of APM2", () => {
  it.each<[string, JsonObject, tool: string, words: string, effect: string]>([
    ["a file", rule({ tool: "fs.read", paths: ["./**"] }), "read_file", "read ./a", "allow r"],
    ["a file of another tool", rule({ tool: "fs.read", paths: ["./**"] }), "write_file", "write ./a", "deny null"],
    ["a path without a root", rule({ tool: "fs.*", paths: ["src/**"] }), "edit_file", "write ./src/a", "allow r"],
    [
      "deleting is not allowed with writing",
      rule({ tool: "fs.*", paths: ["**"] }),
      "edit_file",
      "delete ./a",
      "deny null",
    ],
    ["a host", rule({ type: "network", hosts: ["a.org"] }), "web_request", "connect a.org:443", "allow r"],
    ["not every port", rule({ type: "network", hosts: ["a.org"] }), "web_request", "connect a.org:22", "deny null"],
    ["its ports", rule({ type: "network", ports: [22] }), "web_request", "connect a.org:22", "allow r"],
    ["a folder", rule({ type: "filesystem", paths: ["/data/**"] }), "any", "write /data/x", "allow r"],
    ["git", rule({ tool: "git.status" }), "git", "git STATUS", "allow r"],
    ["other git", rule({ tool: "git.status" }), "git", "git PUSH", "deny null"],
    ["everything", rule({ tool: "*" }), "any", "read /x", "allow r"],
    ["inference", rule({ type: "inference" }), "infer", "read /x", "allow r"],
  ])("allows %s", (_, given, tool, words, effect) => expect(effects([given], tool, words)).toEqual([effect]));

  it("matches each command of a line, and not its text", () => {
    const given = rule({ tool: "shell.exec", commands: ["cargo *"] });
    const made = rulesFromApm2(given as never);
    const rules = "rules" in made ? rulesOf(made.rules) : null;
    const judged = (line: string) => {
      const touches = touchesFromWords(line, "/workspace");
      if ("error" in touches) throw new Error(touches.error);
      return touches.map((touch) => {
        const known = touch.kind === "exec" ? { ...touch, origin: "toolchain" as const } : touch;
        return rules?.judge(known, { ...factsFor("run_command"), touches }).effect;
      });
    };
    expect(judged("cargo test")).toEqual(["allow"]);
    expect(judged("cargo build --release")).toEqual(["allow"]);
    const both = judged(readFileSync(new URL("./apm2-attack.txt", import.meta.url), "utf8").trim());
    expect(both[0]).toBe("allow");
    expect(both.slice(1)).not.toContain("allow");
    expect(both.length).toBeGreaterThan(1);
  });

  it("denies whatever stands before it, and says that this is new", () => {
    const allow = rule({ id: "a", tool: "fs.*", paths: ["./**"] });
    const deny = rule({ id: "d", type: "tool_deny", decision: "deny", tool: "fs.write", paths: ["./x"], reason: "no" });
    for (const rules of [
      [allow, deny],
      [deny, allow],
    ]) {
      expect(effects(rules, "write_file", "write ./x")).toEqual(["deny d"]);
      expect(effects(rules, "edit_file", "write ./x")).toEqual(["allow a"]);
    }
    using later = load({ policy: { ...POLICY, rules: [allow, deny] } });
    expect(later.config?.notes).toMatchObject([{ message: expect.stringContaining("the strictest rule decides") }]);
    using earlier = load({ policy: { ...POLICY, rules: [deny, allow] } });
    expect(earlier.config?.notes).toEqual([]);
    using apart = load({ policy: { ...POLICY, rules: [{ ...allow, tool: "fs.read" }, deny] } });
    expect(apart.config?.notes).toEqual([]);
  });

  it("keeps its reasons", () => {
    const made = rulesFromApm2({ id: "r", type: "filesystem", decision: "deny", paths: ["/x"] });
    expect(made).toMatchObject({
      rules: [{ because: "FILESYSTEM_MATCHED: Rule r applied", touch: { delete: ["/x"] } }],
    });
    const named = rulesFromApm2({
      id: "r",
      type: "inference",
      decision: "deny",
      rationale_code: "COST",
      reason: "dear",
    });
    expect(named).toMatchObject({ rules: [{ because: "COST: dear" }] });
  });

  it("becomes several rules where it has to", () => {
    const made = rulesFromApm2({ id: "r", type: "tool_deny", decision: "deny", paths: ["/x"], commands: ["a *"] });
    expect(made).toMatchObject({
      rules: [
        { id: "r", touch: { read: ["/x"], write: ["/x"], delete: ["/x"] } },
        { id: "r-2", touch: { exec: ["a **"] } },
      ],
    });
    expect(rulesFromApm2({ id: "r", type: "tool_allow", decision: "allow", tool: "g*" })).toMatchObject({
      rules: [{ tools: ["git"], touch: { git: expect.arrayContaining(["PUSH", "STATUS"]) } }],
    });
  });

  it("is named by its hash in the ledger's terms", () => {
    using loaded = load({ policy: POLICY });
    expect(loaded.config?.policies).toEqual([{ name: "policy.yaml", text: JSON.stringify({ policy: POLICY }) }]);
  });

  it.each<[string, JsonObject, string]>([
    ["an open default", { default_decision: "allow" }, "what no rule covers is denied here"],
    ["no default", { default_decision: null }, "default_decision"],
    ["another default", { default_decision: "ask" }, "default_decision"],
    ["a bad version", { version: "1.0" }, "`1.0` is no version"],
    ["no rules", { rules: [] }, "rules"],
    ["an unknown key", { priority: 1 }, "priority"],
    ["an id twice", { rules: [POLICY.rules[0], POLICY.rules[0]] as never }, "the id `read` is taken already"],
    ["a budget", { rules: [rule({ type: "budget", budget_type: "token", limit: 5 })] }, "a `budget` is no rule here"],
    ["secrets", { rules: [rule({ type: "secrets" })] }, "have no counterpart here"],
    ["a mode", { rules: [rule({ type: "consumption_mode" })] }, "have no counterpart here"],
    ["a type", { rules: [rule({ type: "magic" })] }, "type"],
    ["an allow that denies", { rules: [rule({ decision: "deny" })] }, "has to decide `allow`"],
    ["a deny that allows", { rules: [rule({ type: "tool_deny" })] }, "has to decide `deny`"],
    ["no selector", { rules: [rule({})] }, "needs `tool`, `paths` or `commands`"],
    ["an unknown tool", { rules: [rule({ tool: "fs.reed" })] }, "no tool of APM2 is called `fs.reed`"],
    ["paths of no file tool", { rules: [rule({ tool: "inference", paths: ["/x"] })] }, "would do nothing"],
    ["no paths", { rules: [rule({ type: "filesystem", paths: [] })] }, "needs `paths`"],
    ["no hosts", { rules: [rule({ type: "network" })] }, "needs `hosts` or `ports`"],
    ["a path upwards", { rules: [rule({ tool: "fs.read", paths: ["/a/../b"] })] }, ".."],
    ["a part of a word", { rules: [rule({ tool: "shell.exec", commands: ["git pu*"] })] }, "a part of a word"],
  ])("is refused with %s", (_, more, message) => {
    using loaded = load({ policy: { ...POLICY, ...more } });
    expect([loaded.config, loaded.problems.join("\n")]).toEqual([null, expect.stringContaining(message)]);
  });
});

interface Vector {
  readonly kind: "path" | "command" | "tool";
  readonly pattern: string;
  readonly value: string;
  readonly match: boolean;
}

withSharedData("apm2")("the pattern vectors of APM2", (folder) => {
  const { rows } = JSON.parse(readFileSync(join(folder, "policy_pattern_vectors.json"), "utf8")) as { rows: Vector[] };

  /** A path as a plan has it; one that goes upwards never becomes a plan by this name. */
  const planned = (value: string): string | null =>
    value.split(/[\\/]/).includes("..") ? null : join("/workspace-of-test", value).replace(/\/$/, "") || "/";

  const isMatch = ({ kind, pattern, value }: Vector): boolean => {
    if (kind === "tool") return isApm2Tool(pattern, value);
    if (kind === "command") {
      const made = rulesFromApm2({ id: "r", type: "tool_allow", decision: "allow", commands: [pattern] });
      const touches = touchesFromWords(value, "/workspace");
      if (!("rules" in made) || "error" in touches) return false;
      const rules = rulesOf(made.rules);
      return touches.every((touch) => {
        const known = touch.kind === "exec" ? { ...touch, origin: "toolchain" as const } : touch;
        return rules.judge(known, { ...factsFor("run_command"), touches }).effect === "allow";
      });
    }
    const made = rulesFromApm2({ id: "r", type: "filesystem", decision: "allow", paths: [pattern] });
    const own = "rules" in made ? (made.rules[0]?.touch?.read?.[0] ?? "") : "";
    const compiled = compilePathPattern(own, "/workspace-of-test");
    const path = value.startsWith("/") ? (planned(value)?.slice("/workspace-of-test".length) ?? null) : planned(value);
    return "matches" in compiled && path !== null && compiled.matches(path);
  };

  it.each(rows)("$kind $pattern on $value: $match", (row) => expect(isMatch(row)).toBe(row.match));

  it("has all 57", () => expect(rows).toHaveLength(57));
});

it.each([
  ["cargo *", "cargo **"],
  ["*", "**"],
  [" a * b * ", "a ** b **"],
  ["a*", "a*"],
])("the command %j is %j here", (given, own) => expect(commandFromApm2(given)).toBe(own));
