import { describe, expect, it } from "vitest";
import type { RuleSource } from "../../src/rules/rule.ts";
import { compileRules, type RuleSet } from "../../src/rules/rule-set.ts";
import { factsFor } from "./sample-facts.ts";

const ask = (id: string, more: Partial<RuleSource> = {}): RuleSource => ({
  id,
  effect: "ask",
  touch: { write: ["/ws/**"] },
  ...more,
});

function approvers(sources: readonly RuleSource[], path = "/ws/a.txt") {
  const compiled = compileRules(sources, { workspace: "/ws" });
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.problems));
  const touch = { kind: "write", path } as const;
  const facts = factsFor("write_file", { touches: [touch] });
  return compiled.rules.approvers([compiled.rules.judge(touch, facts)], facts);
}

describe("who has to say yes", () => {
  it("is anybody where no rule says", () => expect(approvers([ask("a")])).toEqual([]));

  it.each([
    [{}, { roles: null, users: null, people: 1, requester: "may" }],
    [
      { roles: ["r"], people: 2 },
      { roles: ["r"], users: [], people: 2, requester: "may" },
    ],
    [
      { users: ["ann"], requester: "never" },
      { roles: [], users: ["ann"], people: 1, requester: "never" },
    ],
    [
      { roles: [], users: [] },
      { roles: [], users: [], people: 1, requester: "may" },
    ],
  ] as const)("%j", (source, expected) =>
    expect(approvers([ask("a", { approvers: source })])).toEqual([{ ruleId: "a", ...expected }]),
  );

  it("is whom every rule wants that asks, and no other rule", () => {
    const rules = [
      ask("first", { approvers: { people: 1 } }),
      ask("second", { approvers: { people: 2 } }),
      ask("anybody"),
      ask("elsewhere", { touch: { write: ["/other/**"] }, approvers: { people: 3 } }),
      { id: "allow", effect: "allow", touch: { write: ["/ws/**"] } } as const,
    ];
    expect(approvers(rules).map(({ ruleId }) => ruleId)).toEqual(["first", "second"]);
    expect(approvers(rules, "/nowhere")).toEqual([]);
  });

  it("is nobody in particular for what no rule speaks about", () => {
    const { rules } = compileRules([ask("a", { approvers: {} })], { workspace: "/ws" }) as { rules: RuleSet };
    const verdict = { touch: { kind: "write", path: "/other" }, effect: "ask", ruleId: null, because: null } as const;
    expect(rules.approvers([verdict], factsFor("write_file"))).toEqual([]);
  });

  it("is asked for by asks only", () => {
    const compiled = compileRules([{ id: "a", effect: "allow", approvers: { people: 2 } }], { workspace: "/ws" });
    expect(compiled.ok ? [] : compiled.problems).toMatchObject([{ field: "approvers" }]);
  });
});
