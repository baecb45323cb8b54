import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Effect, isStricter, stricter } from "../../src/domain/decision.ts";
import { hiddenBy } from "../../src/rules/hidden-by.ts";
import { compilePathPattern } from "../../src/rules/path-pattern.ts";
import type { RuleSource } from "../../src/rules/rule.ts";
import {
  someFacts,
  someName,
  somePath,
  somePathPattern,
  someRules,
  someTouch,
  unconditional,
  WORKSPACE,
} from "./arbitrary-rules.ts";
import { CONDITIONS } from "./naive-conditions.ts";
import { naiveJudge, naivePathMatches } from "./naive-rules.ts";
import { rulesOf as rulesIn } from "./sample-facts.ts";

const rulesOf = (sources: readonly RuleSource[]) => rulesIn(sources, WORKSPACE);

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
      fc.property(someRules, fc.nat(8), someTouch, someFacts, (rules, cut, touch, facts) => {
        const plain = rules.filter((rule) => rule.otherwise !== true);
        const [left, right] = [plain.slice(0, cut), plain.slice(cut)].map((part) => rulesOf(part).judge(touch, facts));
        if (left === undefined || right === undefined || left.ruleId === null || right.ruleId === null) return;
        expect(rulesOf(plain).judge(touch, facts).effect).toBe(stricter(left.effect, right.effect));
      }),
    );
  });
});

describe("laws of rule sets", () => {
  it("the order of rules does not change the effect", () => {
    void fc.assert(
      fc.property(shuffled, someTouch, someFacts, ([rules, other], touch, facts) => {
        expect(rulesOf(other).judge(touch, facts).effect).toBe(rulesOf(rules).judge(touch, facts).effect);
      }),
      { numRuns: 500 },
    );
  });

  it("adding a plain deny never widens", () => {
    void fc.assert(
      fc.property(withOneMore, someTouch, someFacts, ({ rules, added, at }, touch, facts) => {
        const deny: RuleSource = { ...added, effect: "deny", otherwise: false };
        const before = rulesOf(rules).judge(touch, facts);
        const after = rulesOf(rules.toSpliced(at, 0, deny)).judge(touch, facts);
        expect(isStricter(before.effect, after.effect)).toBe(false);
      }),
      { numRuns: 500 },
    );
  });

  it("adding an `otherwise` never changes a touch that a plain rule covers", () => {
    void fc.assert(
      fc.property(withOneMore, someTouch, someFacts, ({ rules, added, at }, touch, facts) => {
        const plain = rulesOf(rules.filter((rule) => rule.otherwise !== true)).judge(touch, facts);
        if (plain.ruleId === null) return;
        const after = rulesOf(rules.toSpliced(at, 0, { ...added, otherwise: true })).judge(touch, facts);
        expect(after).toEqual(plain);
      }),
      { numRuns: 500 },
    );
  });

  it("adding a rule that can't be decided denies what it selects, unless a plain rule stands before an `otherwise`", () => {
    void fc.assert(
      fc.property(withOneMore, someTouch, someFacts, ({ rules, added, at }, touch, facts) => {
        const erring: RuleSource = { ...added, when: "call.input.missing", otherwise: false };
        const verdict = rulesOf(rules.toSpliced(at, 0, erring)).judge(touch, facts);
        // With its own effect: an allow covers less (what is unknown, what is not on the internet) than a deny of the same words.
        const isSelected = rulesOf([unconditional(erring)]).judge(touch, facts).ruleId !== null;
        if (isSelected) expect(verdict.effect).toBe("deny");
        else expect(verdict).toEqual(rulesOf(rules).judge(touch, facts));
      }),
      { numRuns: 500 },
    );
  });

  it("a condition only narrows what its rule says, or denies", () => {
    void fc.assert(
      fc.property(someRules, someTouch, someFacts, (rules, touch, facts) => {
        const plain = rules.filter((rule) => rule.otherwise !== true && rule.effect === "allow");
        const before = rulesOf(plain.map(unconditional)).judge(touch, facts);
        const after = rulesOf(plain).judge(touch, facts);
        expect(isStricter(before.effect, after.effect)).toBe(false);
      }),
    );
  });

  it("nothing is allowed unless an allow rule is there to say so", () => {
    void fc.assert(
      fc.property(someRules, someTouch, someFacts, (rules, touch, facts) => {
        const { effect } = rulesOf(rules.filter((rule) => rule.effect !== "allow")).judge(touch, facts);
        expect(effect).not.toBe("allow");
      }),
    );
  });
});

describe("laws of trees", () => {
  const narrow = fc.constantFrom("./**/b", "./a/**", "./**/a*", "**/*b", "./b", "./ab/*", "/w/**/.env");
  const someNarrowRule = fc.record(
    {
      effect: someEffect,
      touch: narrow.map((pattern) => ({ read: [pattern], delete: [pattern] })),
      when: fc.constantFrom(...Object.keys(CONDITIONS)),
      otherwise: fc.boolean(),
    },
    { requiredKeys: ["effect", "touch"] },
  ) as fc.Arbitrary<Omit<RuleSource, "id">>;
  /** With narrow rules to be hidden, and often a rule that covers whole trees: else nearly none would be let through. */
  const someRulesForTrees = fc
    .tuple(someRules, fc.array(someNarrowRule, { maxLength: 3 }), fc.option(someEffect, { freq: 4 }))
    .map(([rules, narrow, base]): RuleSource[] => [
      ...rules.slice(5),
      ...narrow.map((rule, index) => ({ ...rule, id: `narrow-${index}` })),
      ...(base && base !== "deny" ? [{ id: "base", effect: base }] : []),
    ]);
  const somePathsBelow = fc.array(fc.array(someName, { maxLength: 3 }), { minLength: 10, maxLength: 10 });
  const below = (folder: string, names: readonly string[]) => [folder === "/" ? "" : folder, ...names].join("/") || "/";

  it("what is not hidden is never judged more strictly than the tree", () => {
    const seen = { allow: 0, ask: 0, deny: 0, hidden: 0 };
    void fc.assert(
      fc.property(someRulesForTrees, somePath, somePathsBelow, someFacts, (rules, folder, names, facts) => {
        const verdict = rulesOf(rules).judge({ kind: "read", path: folder, tree: true }, facts);
        seen[verdict.effect]++;
        const isHidden = hiddenBy(verdict.hide ?? [], WORKSPACE);
        for (const path of names.map((some) => below(folder, some))) {
          if (isHidden(path)) seen.hidden++;
          else {
            const { effect } = naiveJudge(rules, WORKSPACE, { kind: "read", path }, facts);
            if (isStricter(effect, verdict.effect))
              throw new Error(`${path} is ${effect}, ${folder} ${verdict.effect}`);
          }
        }
      }),
      { numRuns: 1500 },
    );
    // Some 150 of the rarest: enough to mean something, and far from what chance may bring.
    expect(Math.min(...Object.values(seen))).toBeGreaterThan(30);
  });

  it("without conditions and `otherwise`, only what is judged more strictly is hidden", () => {
    void fc.assert(
      fc.property(someRulesForTrees, somePath, somePathsBelow, someFacts, (all, folder, names, facts) => {
        const rules = all.filter((rule) => rule.otherwise !== true).map(unconditional);
        const verdict = rulesOf(rules).judge({ kind: "read", path: folder, tree: true }, facts);
        const isHidden = hiddenBy(verdict.hide ?? [], WORKSPACE);
        for (const path of names.map((some) => below(folder, some)).filter(isHidden)) {
          const { effect } = naiveJudge(rules, WORKSPACE, { kind: "read", path }, facts);
          expect(isStricter(effect, verdict.effect)).toBe(true);
        }
      }),
      { numRuns: 500 },
    );
  });

  it("deleting a tree is never judged less strictly than anything in it: what is deleted can't be hidden", () => {
    void fc.assert(
      fc.property(someRulesForTrees, somePath, somePathsBelow, someFacts, (rules, folder, names, facts) => {
        const verdict = rulesOf(rules).judge({ kind: "delete", path: folder, tree: true }, facts);
        expect(verdict.hide).toBe(undefined);
        for (const path of names.map((some) => below(folder, some))) {
          const { effect } = naiveJudge(rules, WORKSPACE, { kind: "delete", path }, facts);
          expect(isStricter(effect, verdict.effect)).toBe(false);
        }
      }),
      { numRuns: 500 },
    );
  });

  it("the names in a folder are judged as the folder is, and none is shown that a sure rule forbids", () => {
    void fc.assert(
      fc.property(someRulesForTrees, somePath, someName, someFacts, (rules, folder, name, facts) => {
        const plain = rulesOf(rules).judge({ kind: "read", path: folder }, facts);
        const verdict = rulesOf(rules).judge({ kind: "read", path: folder, names: true }, facts);
        expect([verdict.effect, verdict.ruleId]).toEqual([plain.effect, plain.ruleId]);
        const sure = rules.filter(({ when, otherwise }) => when === undefined && otherwise !== true);
        const child = naiveJudge(sure, WORKSPACE, { kind: "read", path: below(folder, [name]) }, facts);
        if (child.ruleId === null || !isStricter(child.effect, verdict.effect)) return;
        expect(hiddenBy(verdict.hide ?? [], WORKSPACE)(below(folder, [name]))).toBe(true);
      }),
      { numRuns: 1500 },
    );
  });

  it("the order of rules does not change what a tree is judged, nor what is hidden", () => {
    void fc.assert(
      fc.property(shuffled, somePath, someFacts, ([rules, other], path, facts) => {
        const [a, b] = [rules, other].map((some) => rulesOf(some).judge({ kind: "read", path, tree: true }, facts));
        expect([a?.effect, a?.hide]).toEqual([b?.effect, b?.hide]);
      }),
      { numRuns: 500 },
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
