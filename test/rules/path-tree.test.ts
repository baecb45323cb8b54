import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hiddenBy } from "../../src/rules/hidden-by.ts";
import { compilePathPattern } from "../../src/rules/path-pattern.ts";
import { type Overlap, overlapWithTree } from "../../src/rules/path-tree.ts";
import { someName, somePath, somePathPattern, WORKSPACE } from "./arbitrary-rules.ts";

function compiled(text: string, workspace = "/workspace") {
  const pattern = compilePathPattern(text, workspace);
  if ("error" in pattern) throw new Error(pattern.error);
  return pattern;
}

describe("a pattern and the folder /workspace/src", () => {
  it.each<[pattern: string, overlap: Overlap]>([
    ["./**", "all"],
    ["./src/**", "all"],
    ["**", "all"],
    ["/**", "all"],
    ["./s*/**", "all"],
    ["./src", "root"],
    ["./*", "root"],
    ["./**/src", "root"],
    ["./src/*", "part"],
    ["./src/gen/**", "part"],
    ["./**/.env", "part"],
    ["**/*.pem", "part"],
    ["./*/gen", "part"],
    ["./**/gen/**", "part"],
    ["./lib/**", null],
    ["./src-gen/**", null],
    ["./sr", null],
    [".", null],
    ["/etc/**", null],
    ["/workspace", null],
    ["./*/../x".replace("../", ""), "part"],
  ])("%s: %s", (pattern, overlap) => expect(overlapWithTree(compiled(pattern), "/workspace/src")).toBe(overlap));

  it("has the whole machine below the root", () => {
    expect(overlapWithTree(compiled("/a/b"), "/")).toBe("part");
    expect(overlapWithTree(compiled("/"), "/")).toBe("root");
    expect(overlapWithTree(compiled("/**"), "/")).toBe("all");
  });
});

it("says of random patterns what their matches say", () => {
  const seen: Record<string, number> = { all: 0, root: 0, part: 0, null: 0 };
  const someNames = fc.array(fc.array(someName, { maxLength: 3 }), { minLength: 5, maxLength: 5 });
  void fc.assert(
    fc.property(somePathPattern, somePath, someNames, (text, folder, names) => {
      const pattern = compiled(text, WORKSPACE);
      const overlap = overlapWithTree(pattern, folder);
      seen[String(overlap)] = (seen[String(overlap)] ?? 0) + 1;
      const paths = names.map((below) => [folder === "/" ? "" : folder, ...below].join("/") || "/");
      if (overlap === "all") expect(paths.every(pattern.matches)).toBe(true);
      if (overlap === null) expect(paths.some(pattern.matches)).toBe(false);
      expect(pattern.matches(folder)).toBe(overlap === "all" || overlap === "root");
    }),
    { numRuns: 3000 },
  );
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(50);
});

describe("what is hidden", () => {
  const isHidden = hiddenBy(["./**/.env", "./secrets/**", "/etc/*"], "/workspace");
  it.each<[path: string, hidden: boolean]>([
    ["/workspace/.env", true],
    ["/workspace/a/b/.env", true],
    ["/workspace/.envrc", false],
    ["/workspace/secrets", true],
    ["/workspace/secrets/a/b", true],
    ["/workspace/secrets-not", false],
    ["/etc/passwd", true],
    ["/etc/a/b", false],
  ])("%s: %s", (path, hidden) => expect(isHidden(path)).toBe(hidden));

  it("is nothing without patterns, and everything with one that can't be read", () => {
    expect(hiddenBy([], "/workspace")("/workspace/a")).toBe(false);
    expect(hiddenBy(["src/**"], "/workspace")("/workspace/a")).toBe(true);
  });
});
