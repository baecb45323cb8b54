import { describe, expect, it } from "vitest";
import { globFrom, Steps } from "../../../src/tools/builtin/glob.ts";

/** Pattern, path, and whether it matches. */
const CASES: [string, string, boolean][] = [
  ["*.ts", "a.ts", true],
  ["*.ts", "src/a.ts", true],
  ["*.ts", "a.tsx", false],
  ["*.ts", ".ts", true],
  ["/*.ts", "a.ts", true],
  ["/*.ts", "src/a.ts", false],
  ["src/*.ts", "src/a.ts", true],
  ["src/*.ts", "src/deep/a.ts", false],
  ["src/*.ts", "other/src/a.ts", false],
  ["src/**", "src/deep/a.ts", true],
  ["src/**", "src/a", true],
  ["src/**", "src", false],
  ["**/a.ts", "a.ts", true],
  ["**/a.ts", "x/y/a.ts", true],
  ["a/**/b", "a/b", true],
  ["a/**/b", "a/x/y/b", true],
  ["a/**/b", "a/x/y/c", false],
  ["**", "a/b", true],
  ["a**b", "axxb", true],
  ["a**b", "a/b", false],
  ["?", "é", true],
  ["?", "\u{1f600}", true],
  ["?", "ab", false],
  ["[abc]", "b", true],
  ["[abc]", "d", false],
  ["[!abc]", "d", true],
  ["[^abc]", "a", false],
  ["[a-c]", "b", true],
  ["[]a]", "]", true],
  ["[a-]", "-", true],
  ["[\\]]", "]", true],
  ["[[:digit:]]", "7", true],
  ["[[:digit:]]", "a", false],
  ["[ab", "a", false],
  ["\\*", "*", true],
  ["\\*", "a", false],
  ["\\#a", "#a", true],
  ["a", "A", false],
];

describe("globFrom", () => {
  it.each(CASES)("%s and %s: %s", (pattern, path, expected) => expect(globFrom(pattern).matches(path)).toBe(expected));

  it("takes no time that grows beyond the product of the lengths", () => {
    const names = Array(2000).fill("a").join("/");
    expect(globFrom(`${"/**/a".repeat(50)}/**/b`).matches(names)).toBe(false);
    expect(globFrom(`${"*a".repeat(100)}b`).matches("a".repeat(4000))).toBe(false);
  });

  it.each([
    [100, true],
    [12, true],
    [3, false],
    [0, false],
  ])("matches nothing more once %i steps are used up: %s", (max, expected) => {
    const steps = new Steps(max);
    expect(globFrom("a/b*").matches("a/bc", steps)).toBe(expected);
    expect(steps.isExhausted).toBe(!expected);
    expect(steps.taken).toBeLessThanOrEqual(12);
  });
});
