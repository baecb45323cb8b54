import * as fc from "fast-check";
import type { Touch } from "../../src/domain/touch.ts";
import type { RuleSource, TouchSelector } from "../../src/rules/rule.ts";

export const WORKSPACE = "/w";

/** Small alphabets, so that rules and touches meet often. */
const name = fc.oneof(
  fc.constantFrom("w", "w-x", "a", "b", "ab", "aab", ".env", ".env.b", "😀"),
  fc.string({ minLength: 1, maxLength: 3, unit: fc.constantFrom("a", "b", "😀") }),
);
const pathBelow = (root: string) => fc.array(name, { maxLength: 4 }).map((names) => [root, ...names].join("/"));

export const somePath: fc.Arbitrary<string> = fc
  .oneof({ arbitrary: pathBelow(WORKSPACE), weight: 3 }, pathBelow(""))
  .map((path) => path || "/");

const component = fc.oneof(
  name,
  fc.constantFrom("**", "*", "?", "*.b", ".*", "a*b", "*a*", "?b", "a?"),
  fc
    .string({ minLength: 1, maxLength: 4, unit: fc.constantFrom("a", "b", "*", "?") })
    .filter((text) => !text.includes("**")),
);
const components = fc.array(component, { minLength: 1, maxLength: 5 }).map((texts) => texts.join("/"));

export const somePathPattern: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(".", "./**", "/**", "**", "/"),
  components.map((text) => `./${text}`),
  components.map((text) => `/${text}`),
  components.map((text) => `**/${text}`),
);

export const TOOLS = ["read", "read_all", "write", "ab"] as const;
export const someTool = fc.constantFrom(...TOOLS);

const patterns = fc.array(somePathPattern, { minLength: 1, maxLength: 3 });
const someTouchSelector: fc.Arbitrary<TouchSelector> = fc
  .record(
    { read: patterns, write: patterns, delete: patterns, unknown: fc.constant(true as const) },
    { requiredKeys: [] },
  )
  .filter((touch) => Object.keys(touch).length > 0);

const someRule: fc.Arbitrary<Omit<RuleSource, "id">> = fc.record(
  {
    effect: fc.constantFrom("allow", "ask", "deny"),
    tools: fc.array(fc.constantFrom("*", "read*", "*_all", "write", "r*d*", "*a*"), { minLength: 1, maxLength: 2 }),
    touch: someTouchSelector,
    otherwise: fc.boolean(),
  },
  { requiredKeys: ["effect"] },
);

/** Ids by place, so that each is taken once. */
export const someRules: fc.Arbitrary<RuleSource[]> = fc
  .array(someRule, { maxLength: 8 })
  .map((rules) => rules.map((rule, index) => ({ ...rule, id: `rule-${index}` })));

export const someTouch: fc.Arbitrary<Touch> = fc.oneof(
  {
    arbitrary: fc.record({ kind: fc.constantFrom("read", "write", "delete"), path: somePath }),
    weight: 8,
  },
  fc.constant<Touch>({ kind: "unknown", reason: "a pipe" }),
  fc.constant<Touch>({ kind: "exec", program: null, argv: [] }),
);
