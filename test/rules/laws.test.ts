import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Effect, isStricter, stricter } from "../../src/domain/decision.ts";
import { compilePathPattern } from "../../src/rules/path-pattern.ts";
import type { RuleSource } from "../../src/rules/rule.ts";
import { compileRules, type RuleSet } from "../../src/rules/rule-set.ts";
import { somePath, somePathPattern, someRules, someTool, someTouch, WORKSPACE } from "./arbitrary-rules.ts";
import { naivePathMatches } from "./naive-rules.ts";

function rulesOf(sources: readonly RuleSource[]): RuleSet {
  const compiled = compileRules(sources, { workspace: WORKSPACE });
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.problems));
  return compiled.rules;
}

/** The same rules in another order. */
const shuffled = someRules.chain((rules) =>
  fc.tuple(fc.constant(rules), fc.shuffledSubarray(rules, { minLength: rules.length, maxLength: rules.length })),
);
/** Some rules, and one more that may stand anywhere among them. */
const withOneMore = fc
  .tuple(someRules, someRules, fc.nat())
  .filter(([, [added]]) => added !== undefined)
  .map(([rules, [added], at]) => ({
    rules,
    added: { ...(added as RuleSource), id: "added" },
    at: at % (rules.length + 1),
  }));

const someEffect = fc.constantFrom<Effect>("allow", "ask", "deny");

describe("laws of merging", () => {
  it("is commutative, associative and idempotent", () => {
    void fc.assert(
      fc.property(someEffect, someEffect, someEffect, (a, b, c) => {
        expect(stricter(a, b)).toBe(stricter(b, a));
        expect(stricter(stricter(a, b), c)).toBe(stricter(a, stricter(b, c)));
        expect(stricter(a, a)).toBe(a);
        expect(isStricter(a, stricter(a, b))).toBe(false);
      }),
    );
  });

  it("of plain rules is the merge of their parts, where both parts speak", () => {
    void fc.assert(
      fc.property(someRules, fc.nat(8), someTouch, someTool, (rules, cut, touch, tool) => {
        const plain = rules.filter((rule) => rule.otherwise !== true);
        const [left, right] = [plain.slice(0, cut), plain.slice(cut)].map((part) => rulesOf(part).judge(touch, tool));
        if (left === undefined || right === undefined || left.ruleId === null || right.ruleId === null) return;
        expect(rulesOf(plain).judge(touch, tool).effect).toBe(stricter(left.effect, right.effect));
      }),
    );
  });
});

describe("laws of rule sets", () => {
  it("the order of rules does not change the effect", () => {
    void fc.assert(
      fc.property(shuffled, someTouch, someTool, ([rules, other], touch, tool) => {
        expect(rulesOf(other).judge(touch, tool).effect).toBe(rulesOf(rules).judge(touch, tool).effect);
      }),
      { numRuns: 500 },
    );
  });

  it("adding a plain deny never widens", () => {
    void fc.assert(
      fc.property(withOneMore, someTouch, someTool, ({ rules, added, at }, touch, tool) => {
        const deny: RuleSource = { ...added, effect: "deny", otherwise: false };
        const before = rulesOf(rules).judge(touch, tool);
        const after = rulesOf(rules.toSpliced(at, 0, deny)).judge(touch, tool);
        expect(isStricter(before.effect, after.effect)).toBe(false);
      }),
      { numRuns: 500 },
    );
  });

  it("adding an `otherwise` never changes a touch that a plain rule covers", () => {
    void fc.assert(
      fc.property(withOneMore, someTouch, someTool, ({ rules, added, at }, touch, tool) => {
        const plain = rulesOf(rules.filter((rule) => rule.otherwise !== true)).judge(touch, tool);
        if (plain.ruleId === null) return;
        const after = rulesOf(rules.toSpliced(at, 0, { ...added, otherwise: true })).judge(touch, tool);
        expect(after).toEqual(plain);
      }),
      { numRuns: 500 },
    );
  });

  it("nothing is allowed unless an allow rule is there to say so", () => {
    void fc.assert(
      fc.property(someRules, someTouch, someTool, (rules, touch, tool) => {
        const { effect } = rulesOf(rules.filter((rule) => rule.effect !== "allow")).judge(touch, tool);
        expect(effect).not.toBe("allow");
      }),
    );
  });
});

it("path patterns match what the naive matcher matches", () => {
  const seen = { true: 0, false: 0 };
  void fc.assert(
    fc.property(somePathPattern, fc.array(somePath, { minLength: 10, maxLength: 10 }), (pattern, paths) => {
      const compiled = compilePathPattern(pattern, WORKSPACE);
      if ("error" in compiled) throw new Error(compiled.error);
      for (const path of paths) {
        const wanted = naivePathMatches(pattern, WORKSPACE, path);
        seen[`${wanted}`]++;
        if (compiled.matches(path) !== wanted) throw new Error(`${pattern} and ${path}: not ${wanted}`);
      }
    }),
    { numRuns: 2000 },
  );
  expect(Math.min(seen.true, seen.false)).toBeGreaterThan(1000);
});
