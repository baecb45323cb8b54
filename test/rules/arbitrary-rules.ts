import * as fc from "fast-check";
import type { CallFacts } from "../../src/domain/call-facts.ts";
import type { Touch } from "../../src/domain/touch.ts";
import type { RuleSource } from "../../src/rules/rule.ts";
import type { TouchSelector } from "../../src/rules/touch-selector.ts";
import { CONDITIONS } from "./naive-conditions.ts";
import { factsFor } from "./sample-facts.ts";

export const WORKSPACE = "/w";

/** Small alphabets, so that rules and touches meet often. */
export const someName = fc.oneof(
  fc.constantFrom("w", "w-x", "a", "b", "ab", "aab", ".env", ".env.b", "😀"),
  fc.string({ minLength: 1, maxLength: 3, unit: fc.constantFrom("a", "b", "😀") }),
);
const pathBelow = (root: string) => fc.array(someName, { maxLength: 4 }).map((names) => [root, ...names].join("/"));

export const somePath: fc.Arbitrary<string> = fc
  .oneof({ arbitrary: pathBelow(WORKSPACE), weight: 3 }, pathBelow(""))
  .map((path) => path || "/");

const component = fc.oneof(
  someName,
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

const TOOLS = ["read", "read_all", "write", "ab"] as const;

const HOSTS = ["a.b", "b", "x.a.b", "xa.b", "1.2.3.4", "::1"] as const;
const somePort = fc.constantFrom(1, 443);
const someHostPattern = fc
  .tuple(fc.constantFrom("a.b", "*.b", "**.b", "*.a.b", "*", "1.2.3.4", "[::1]"), fc.constantFrom("1", "443", "*"))
  .map(([host, port]) => `${host}:${port}`);
const someNamePattern = fc.constantFrom("*", "read*", "*_all", "write", "r*d*", "*a*", "read", "ab");

const someModelPattern = fc.constantFrom("*", "a/*", "a/m", "*/m", "*/m-*", "a/o/*", "ab/m", "*m");
const MODELS = ["a/m", "a/m-1", "ab/m", "a/o/m", "m/a"] as const;

const listOf = <Item>(item: fc.Arbitrary<Item>) => fc.array(item, { minLength: 1, maxLength: 3 });
const someTouchSelector: fc.Arbitrary<TouchSelector> = fc
  .record(
    {
      read: listOf(somePathPattern),
      write: listOf(somePathPattern),
      delete: listOf(somePathPattern),
      connect: listOf(someHostPattern),
      model: listOf(someModelPattern),
      tool: listOf(someNamePattern),
      unknown: fc.constant(true as const),
    },
    { requiredKeys: [] },
  )
  .filter((touch) => Object.keys(touch).length > 0);

const someSandbox = fc.constantFrom("namespaces", "none");
const someContainment = fc.constantFrom("process", "sandbox", "upstream", "client");

const someRule: fc.Arbitrary<Omit<RuleSource, "id">> = fc
  .record(
    {
      effect: fc.constantFrom("allow", "ask", "deny"),
      tools: fc.option(fc.array(someNamePattern, { minLength: 1, maxLength: 2 }), { freq: 3, nil: undefined }),
      touch: someTouchSelector,
      containment: fc.option(fc.uniqueArray(someContainment, { minLength: 1 }), { freq: 3, nil: undefined }),
      sandbox: fc.option(fc.uniqueArray(someSandbox, { minLength: 1 }), { freq: 5, nil: undefined }),
      when: fc.option(fc.constantFrom(...Object.keys(CONDITIONS)), { freq: 2, nil: undefined }),
      otherwise: fc.boolean(),
    },
    { requiredKeys: ["effect"] },
  )
  .map((rule) => withoutUndefined(rule) as Omit<RuleSource, "id">);

const withoutUndefined = (members: object): object =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));

/** Ids by place, so that each is taken once. */
export const someRules: fc.Arbitrary<RuleSource[]> = fc
  .array(someRule, { maxLength: 8 })
  .map((rules) => rules.map((rule, index) => ({ ...rule, id: `rule-${index}` })));

export const unconditional = ({ when: _, ...rule }: RuleSource): RuleSource => rule;

export const someTouch: fc.Arbitrary<Touch> = fc.oneof(
  { arbitrary: fc.record({ kind: fc.constantFrom("read", "write", "delete"), path: somePath }), weight: 8 },
  fc.record({
    kind: fc.constant("connect"),
    host: fc.constantFrom(...HOSTS),
    port: somePort,
    scheme: fc.constant("tcp"),
  }) as fc.Arbitrary<Touch>,
  fc.constantFrom(...MODELS).map((name): Touch => {
    const [provider = "", ...model] = name.split("/");
    return { kind: "model", provider, model: model.join("/"), tokensMax: 1 };
  }),
  fc.constantFrom(...TOOLS).map((name) => ({ kind: "tool", name, definitionDigest: "" }) as unknown as Touch),
  fc.constant<Touch>({ kind: "unknown", reason: "a pipe" }),
  fc.constant<Touch>({ kind: "exec", program: null, origin: "nowhere", argv: [] }),
);

/** What a call is beside its touches. */
export const someFacts: fc.Arbitrary<CallFacts> = fc
  .record({
    tool: fc.constantFrom(...TOOLS),
    containment: fc.oneof({ arbitrary: fc.constant("process" as const), weight: 3 }, someContainment),
    sandbox: fc.option(someSandbox, { nil: undefined }),
    source: fc.constantFrom("builtin", "function"),
    flag: fc.oneof({ arbitrary: fc.boolean(), weight: 6 }, fc.constantFrom("text", null)),
  })
  .map(({ tool, flag, ...more }) => factsFor(tool, { ...more, input: flag === null ? {} : { flag } }));
