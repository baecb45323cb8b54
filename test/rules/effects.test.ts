import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ToolEffects } from "../../src/domain/tool-effects.ts";
import { mergeEffects } from "../../src/rules/effects.ts";

describe("merging", () => {
  it.each<[string, ToolEffects, ToolEffects, ToolEffects]>([
    ["harm wins", { network: true }, { network: false }, { network: true }],
    ["harm wins over unknown", { network: true }, {}, { network: true }],
    ["unknown wins over no harm", { network: false }, {}, {}],
    ["no harm needs both", { network: false }, { network: false }, { network: false }],
    ["no safety wins", { reversible: false }, { reversible: true }, { reversible: false }],
    ["no safety wins over unknown", { idempotent: false }, {}, { idempotent: false }],
    ["unknown wins over safety", { reversible: true }, {}, {}],
    ["safety needs both", { reversible: true }, { reversible: true }, { reversible: true }],
    [
      "the higher cost",
      { cost: { estimate: "low" } },
      { cost: { estimate: "medium" } },
      { cost: { estimate: "medium" } },
    ],
    ["the highest cost over unknown", { cost: { estimate: "high" } }, {}, { cost: { estimate: "high" } }],
    ["unknown over a low cost", { cost: { estimate: "low" } }, {}, {}],
    [
      "the worst input",
      { interactive: { stdin: "none" } },
      { interactive: { stdin: "password" } },
      { interactive: { stdin: "password" } },
    ],
    ["lists together", { creates: ["b", "a"] }, { creates: ["c", "a"] }, { creates: ["a", "b", "c"] }],
    ["paths together", { filesystem: { paths: ["a"] } }, {}, { filesystem: { paths: ["a"] } }],
    [
      "the strictest time",
      { duration: { timeoutMs: 5 } },
      { duration: { timeoutMs: 3 } },
      { duration: { timeoutMs: 3 } },
    ],
    ["the only time", {}, { duration: { timeoutMs: 3 } }, { duration: { timeoutMs: 3 } }],
    [
      "the same usual time",
      { duration: { typical: "1s" } },
      { duration: { typical: "1s" } },
      { duration: { typical: "1s" } },
    ],
    ["no usual time where they differ", { duration: { typical: "1s" } }, { duration: { typical: "2s" } }, {}],
  ])("%s", (_, a, b, merged) => {
    const empty = { filesystem: {}, interactive: {}, cost: {}, duration: {} };
    expect(mergeEffects(a, b)).toEqual({ ...empty, ...merged });
    expect(mergeEffects(b, a)).toEqual({ ...empty, ...merged });
  });
});

const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined });
const bool = maybe(fc.boolean());
const texts = maybe(fc.uniqueArray(fc.constantFrom("a", "b", "c"), { minLength: 1 }));
const someEffects = fc.record({
  filesystem: fc.record({ read: bool, write: bool, delete: bool, paths: texts }),
  network: bool,
  subprocess: bool,
  idempotent: bool,
  reversible: bool,
  destructive: bool,
  deletes: texts,
  interactive: fc.record({ stdin: maybe(fc.constantFrom("none", "optional", "required", "password")), tty: bool }),
  cost: fc.record({ estimate: maybe(fc.constantFrom("free", "low", "medium", "high")), billable: bool }),
  duration: fc.record({ timeoutMs: maybe(fc.nat(3)) }),
}) as fc.Arbitrary<ToolEffects>;

it("is commutative and associative, and merging with itself changes nothing", () => {
  void fc.assert(
    fc.property(someEffects, someEffects, someEffects, (a, b, c) => {
      expect(mergeEffects(a, b)).toEqual(mergeEffects(b, a));
      expect(mergeEffects(mergeEffects(a, b), c)).toEqual(mergeEffects(a, mergeEffects(b, c)));
      const once = mergeEffects(a, a);
      expect(mergeEffects(once, once)).toEqual(once);
    }),
    { numRuns: 1000 },
  );
});
