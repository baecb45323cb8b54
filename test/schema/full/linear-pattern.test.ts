import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { linearPattern } from "../../../src/schema/full/linear-pattern.ts";

function testOf(pattern: string): (text: string) => boolean {
  const compiled = linearPattern(pattern);
  if ("problem" in compiled) throw new Error(compiled.problem);
  return compiled.test;
}

describe("what a pattern means", () => {
  it.each<[pattern: string, good: string, bad: string]>([
    ["a", "bab", "b"],
    ["^a$", "a", "a\n"],
    ["^.$", "😀", "\r"],
    ["^.$", "\u0085", "\u2028"],
    ["^\\s$", "\u00a0", "x"],
    ["^[\\s]$", "\ufeff", "x"],
    ["^\\S$", "x", "\u3000"],
    ["^[\\S]$", "x", "\u2029"],
    ["^[^\\S]$", " ", "x"],
    ["^\\d$", "5", "٣"],
    ["^\\w$", "_", "é"],
    ["\\bfoo\\b", "a foo.", "afoo"],
    ["^[\\b]$", "\b", "b"],
    ["^\\u0041\\x42\\cC\\0$", "AB\x03\0", "AB"],
    ["^\\ud83d\\ude00\\u{1F600}$", "😀😀", "😀"],
    ["^[😀-😂]$", "😁", "😃"],
    ["[^a]$", "😁", "a"],
    ["[^a]$", "😁", "a"],
    ["^\\p{Lu}\\P{Lu}\\p{Script=Greek}$", "Aaα", "aAα"],
    ["^[[:alpha:]]$", "a]", "a"],
    ["^[^]$", "\n", ""],
    ["^(?:[]|a)$", "a", "b"],
    ["^a{2}b{1,}c{0,1}$", "aabb", "ab"],
    ["^{a}$", "{a}", "a"],
    ["^a{,2}$", "a{,2}", "aa"],
    ["^]$", "]", "a"],
    ["^(?<year>\\d+)-(\\d+)$", "1-2", "1-"],
    ["^\\_\\@\\-\\é\\/$", "_@-é/", "x"],
    ["^[\\w\\-\\.]+$", "a-b.c", "a b"],
    ["^[\\w\\s-.,]+$", "a-b. c", "a+b"],
    ["^[\\s-\\uffff]$", "-", "\uff00"],
    ["^[\\s-a-z]$", "-", "m"],
    ["^[\\s--a]$", "-", "B"],
    ["^[\\0-\\s]$", "-", "\x01"],
    ["^[\\s-]$", "-", "x"],
    ["^(a+)+$", "aaa", "aab"],
  ])("%j", (pattern, good, bad) => {
    expect(testOf(pattern)(good)).toBe(true);
    expect(testOf(pattern)(bad)).toBe(false);
  });

  it("keeps two patterns apart", () => {
    const [a, b] = [testOf("^a$"), testOf("^b$")];
    expect([a("a"), a("b"), b("a"), b("b")]).toEqual([true, false, false, true]);
  });
});

describe("what is refused", () => {
  const LINEAR = "can't be matched in linear time";

  it.each<[pattern: string, problem: string]>([
    ["(", "is not a regular expression"],
    ["a**", "is not a regular expression"],
    ["(?P<a>b)", "is not a regular expression"],
    ["a(?=b)", `uses a lookahead, which ${LINEAR}`],
    ["a(?!b)", `uses a lookahead, which ${LINEAR}`],
    ["(?<=a)b", `uses a lookbehind, which ${LINEAR}`],
    ["(?<!a)b", `uses a lookbehind, which ${LINEAR}`],
    ["(a)\\1", `uses a back-reference, which ${LINEAR}`],
    ["(?<a>a)\\k<a>", `uses a back-reference, which ${LINEAR}`],
    ["(?i:a)", "uses flags inside, which are not supported"],
    ["\\ud800", "uses the escape `\\u`, which is not supported"],
    ["\\z", "uses the escape `\\z`, which is not supported"],
    ["a{1001}", "uses what a linear-time engine does not have, or repeats too often"],
    ["((a{30}){30})b", "ok"],
    [
      "([a-c]{1,31}[d-f]{1,31}){15}([a-c]{1,31}[d-f]{1,31}){15}([a-c]{1,31}[d-f]{1,31}){15}",
      "uses what a linear-time engine does not have, or repeats too often",
    ],
    ["\\p{Letter}", "uses what a linear-time engine does not have, or repeats too often"],
  ])("%j", (pattern, problem) => {
    const compiled = linearPattern(pattern);
    expect("problem" in compiled ? compiled.problem : "ok").toBe(problem);
  });
});

/** Without characters of two units, on which V8 errs: `/[^a]$/u` does not find one, `/\\B/u` finds its middle. */
describe("against the engine's own", () => {
  const character = fc.constantFrom("a", "b", "\\d", "\\w", "\\s", "\\S", ".", "é", "😀", "\\n", "\\u0061", "\\.", "-");
  const members = fc.array(fc.constantFrom("a", "b-d", "\\d", "\\s", "\\S", "[", "^", "é", "\\]", "\\-"), {
    maxLength: 3,
  });
  const klass = fc.tuple(fc.constantFrom("[", "[^"), members).map(([open, inside]) => `${open}${inside.join("")}]`);
  const pattern = fc.letrec<{ pattern: string }>((tie) => ({
    pattern: fc.oneof(
      { maxDepth: 4, depthSize: "medium" },
      character,
      klass,
      fc.constantFrom("^", "$", "\\b", "\\B"),
      fc.tuple(tie("pattern"), tie("pattern")).map(([a, b]) => a + b),
      fc.tuple(tie("pattern"), tie("pattern")).map(([a, b]) => `(${a}|${b})`),
      fc.tuple(tie("pattern"), fc.constantFrom("*", "+", "?", "{2}", "{1,3}", "*?")).map(([a, q]) => `(?:${a})${q}`),
    ),
  })).pattern;
  const text = fc.string({
    unit: fc.constantFrom("a", "b", "c", "1", "_", " ", "\n", "\r", "\u2028", "\u00a0", "é", "[", "-"),
    maxLength: 6,
  });

  it("gives the same verdict", () =>
    void fc.assert(
      fc.property(pattern, fc.array(text, { minLength: 10, maxLength: 10 }), (source, texts) => {
        const test = testOf(source);
        const own = new RegExp(source, "u");
        for (const one of texts) expect(test(one), `${source} on ${JSON.stringify(one)}`).toBe(own.test(one));
      }),
      { numRuns: 1000 },
    ));
});
