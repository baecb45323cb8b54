import { describe, expect, it } from "vitest";
import type { TouchVerdict } from "../../src/domain/call.ts";
import { digestOf } from "../../src/domain/digest.ts";
import type { Touch } from "../../src/domain/touch.ts";
import type { RuleSource } from "../../src/rules/rule.ts";
import { compileRules } from "../../src/rules/rule-set.ts";
import { RULE_CASES } from "./rule-cases.ts";
import { conditions, factsFor, rulesOf } from "./sample-facts.ts";

function touchFrom(text: string): Touch {
  if (text === "unknown") return { kind: "unknown", reason: "a pipe" };
  if (text === "exec")
    return { kind: "exec", program: "/bin/ls", origin: "toolchain", argv: [{ text: "ls", known: true }] };
  const [kind = "", name = ""] = text.split(" ");
  if (kind === "tool") return { kind, name, definitionDigest: digestOf(name) };
  if (kind === "model") {
    const slash = name.indexOf("/");
    return { kind, provider: name.slice(0, slash), model: name.slice(slash + 1), tokensMax: 1 };
  }
  if (kind === "connect") {
    const [host = "", port] = name.split(":");
    return { kind, host, port: Number(port), scheme: "tcp" };
  }
  const path = name.replace(/^\.(\/|$)/, "").replace(/(^|\/)\*\*$/, "");
  const full = name.startsWith("/") ? path : ["/workspace", path].join(path ? "/" : "");
  if (kind === "names") return { kind: "read", path: full, names: true };
  return { kind: kind as "read", path: full, ...(name.endsWith("**") && { tree: true }) };
}

function inWords({ effect, ruleId, fault, hide }: TouchVerdict): string {
  const notes = [...(fault ? ["which can't be decided"] : []), ...(hide ? [`hiding ${hide.join(" ")}`] : [])];
  return [`${effect} by ${ruleId ?? "none"}`, ...notes].join(", ");
}

describe.each(RULE_CASES)("$name", ({ rules, decides }) => {
  const set = rulesOf(rules);
  it.each(decides)("%s, %s: %s", (tool, touch, decision) => {
    expect(inWords(set.judge(touchFrom(touch), factsFor(tool, { touches: [touchFrom(touch)] })))).toBe(decision);
  });
});

describe("a verdict", () => {
  it("carries the touch and the rule's reason", () => {
    const touch = touchFrom("read a");
    const set = rulesOf([{ id: "r", effect: "ask", because: "people decide" }]);
    expect(set.judge(touch, factsFor("t"))).toEqual({ touch, effect: "ask", ruleId: "r", because: "people decide" });
    expect(rulesOf([]).judge(touch, factsFor("t"))).toEqual({ touch, effect: "deny", ruleId: null, because: null });
  });

  it("says why a path with a detour is denied", () =>
    expect(rulesOf([{ id: "r", effect: "allow" }]).judge(touchFrom("read /a/../b"), factsFor("t")).because).toBe(
      "the path is not canonical, so no rule can speak about it",
    ));

  it("says why a host in another spelling is denied", () => {
    const touch: Touch = { kind: "connect", host: "A.b", port: 1, scheme: "tcp" };
    expect(rulesOf([{ id: "r", effect: "allow" }]).judge(touch, factsFor("t")).because).toBe(
      "the host is not canonical, so no rule can speak about it",
    );
  });

  it("says why a rule can't be decided", () => {
    const set = rulesOf([{ id: "r", effect: "ask", when: "call.input.x == 1", because: "people decide" }]);
    const touch = touchFrom("read a");
    const fault = "its condition can't be decided: no such key: x";
    expect(set.judge(touch, factsFor("t"))).toEqual({
      touch,
      effect: "deny",
      ruleId: "r",
      because: "people decide",
      fault,
    });
  });

  it("depends on where the tool works", () => {
    const set = rulesOf([{ id: "r", effect: "allow", containment: ["sandbox", "client"] }]);
    const effects = (["process", "sandbox", "upstream", "client"] as const).map(
      (containment) => set.judge(touchFrom("read a"), factsFor("t", { containment })).effect,
    );
    expect(effects).toEqual(["deny", "allow", "deny", "allow"]);
  });

  it("depends on who holds programs in, and a rule about that says nothing of a call that starts none", () => {
    const judged = (sources: readonly RuleSource[]) =>
      (["namespaces", "none", undefined] as const).map(
        (sandbox) => rulesOf(sources).judge(touchFrom("read a"), factsFor("t", { sandbox })).effect,
      );
    expect(judged([{ id: "held", effect: "allow", sandbox: ["namespaces"] }])).toEqual(["allow", "deny", "deny"]);
    expect(judged([{ id: "either", effect: "allow", sandbox: ["none", "namespaces"] }])).toEqual([
      ...["allow", "allow", "deny"],
    ]);
    const minimum: RuleSource = { id: "minimum", effect: "deny", sandbox: ["none"] };
    expect(judged([{ id: "all", effect: "allow" }, minimum])).toEqual(["allow", "deny", "allow"]);
  });

  it("is a deny for a kind of touch that nobody has heard of", () => {
    const stranger = { kind: "teleport" } as unknown as Touch;
    expect(rulesOf([{ id: "r", effect: "allow" }]).judge(stranger, factsFor("t"))).toMatchObject({
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
    ["condition", [{ ...rule, when: "true" }]],
    ["containment", [{ ...rule, containment: ["process"] }]],
    ["grant", [{ ...rule, grant: { write: ["./**"] } }]],
    ["examples", [{ ...rule, examples: { match: ["read ./a"] } }]],
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
      {
        id: "grant",
        effect: "deny",
        grant: { read: ["a"], write: ["./b"], connect: ["b"] },
        touch: { connect: ["c"] },
      },
      { id: "when", effect: "deny", when: "risk == 1" },
    ],
    { workspace: "/workspace", conditions },
  );
  expect(compiled.ok || compiled.problems.map(({ ruleIndex, field, message }) => [ruleIndex, field, message])).toEqual([
    [0, "id", "the id `a b` is not a name"],
    [0, "touch.read[0]", "the pattern `src/**` does not say where it begins"],
    [0, "touch.write", "`touch.write` is an empty list, so the rule would cover nothing"],
    [0, "tools", "`tools` is an empty list, so the rule would cover nothing"],
    [2, "because", "the reason is not valid Unicode text"],
    [2, "touch", "the rule names no touch"],
    [2, "tools[1]", "the tool pattern `a?` holds `?`, which is in no tool's name"],
    [3, "touch.connect[0]", "the connection `c` does not end in a port"],
    [3, "grant", "a deny lets nothing run, so it has nothing to grant"],
    [3, "grant.read[0]", "the pattern `a` does not say where it begins"],
    [3, "grant.connect[0]", "the connection `b` does not end in a port"],
    [4, "when", "the condition can't be read: no such overload: string == int"],
    [2, "id", "the id `fine` is taken by an earlier rule"],
  ]);
});

it("refuses a condition where conditions can't be read", () => {
  const compiled = compileRules([{ id: "r", effect: "deny", when: "true" }], { workspace: "/workspace" });
  expect(compiled).toMatchObject({
    ok: false,
    problems: [{ field: "when", message: "conditions can't be read here" }],
  });
});

it("lists all rules that cover a touch, the strictest first", () => {
  const set = rulesOf([
    { id: "open", effect: "allow", touch: { read: ["./**"] } },
    { id: "rest", effect: "deny", otherwise: true, because: "the rest" },
    { id: "never", effect: "deny", when: "false" },
    { id: "erring", effect: "allow", when: "call.input.x == 1" },
    { id: "ask", effect: "ask", tools: ["t*"], touch: { read: ["./a", "./b"] } },
    { id: "other-tool", effect: "deny", tools: ["u"] },
    { id: "other-path", effect: "deny", touch: { read: ["./c"], write: ["./a"] } },
  ]);
  const covering = set.covering(touchFrom("read a"), factsFor("t"));
  expect(covering.map(({ ruleId }) => ruleId)).toEqual(["ask", "open", "erring", "rest"]);
  expect(covering[2]).toEqual({
    ruleId: "erring",
    effect: "allow",
    because: null,
    otherwise: false,
    fault: "its condition can't be decided: no such key: x",
  });
});
