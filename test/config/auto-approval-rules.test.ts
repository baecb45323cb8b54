import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type RawAutoApproval, rulesFromPolicy } from "../../src/config/auto-approval-rules.ts";
import { belowWorkspace } from "../../src/rules/auto-approval.ts";
import { compilePathPattern } from "../../src/rules/path-pattern.ts";
import { factsFor, rulesOf } from "../rules/sample-facts.ts";

const WORKSPACE = "/ws+(1)";

const STEPS = ["a", "b", "a.md", "axmd", "\\*", "*", "[x]", "(1)", "^", "$", "a\nb", "é", "😀", " ", '"', "..a"];
const PARTS = [
  "a",
  "b",
  "a.md",
  "*",
  "?",
  "**",
  "*.md",
  "\\*",
  "\\[x\\]",
  "(1)",
  "^",
  "$",
  "a*b",
  "??",
  "😀",
  '"',
  "..a",
];

const path = fc
  .tuple(fc.constantFrom(WORKSPACE, "", "/ws"), fc.array(fc.constantFrom(...STEPS), { minLength: 1, maxLength: 4 }))
  .map(([root, steps]) => `${root}/${steps.join("/")}`);
const pattern = fc
  .tuple(fc.constantFrom("", "./", "/", "**/"), fc.array(fc.constantFrom(...PARTS), { minLength: 1, maxLength: 4 }))
  .map(([root, parts]) => `${root}${parts.join("/")}`)
  .filter((text) => !("error" in compilePathPattern(belowWorkspace(text), WORKSPACE)));

function judged(policy: Partial<RawAutoApproval>, touch: { path: string; tree?: true }): string {
  const made = rulesFromPolicy({ id: "p", decision: { type: "reject" }, ...policy }, WORKSPACE);
  if (!("rule" in made)) throw new Error(made.problem);
  const allow = { id: "all", effect: "allow", touch: { write: ["/**"] } } as const;
  return rulesOf([allow, made.rule], WORKSPACE).judge({ kind: "write", ...touch }, factsFor("write_file")).effect;
}

const matches = (patterns: readonly string[], one: string): boolean =>
  patterns.some((text) => {
    const compiled = compilePathPattern(belowWorkspace(text), WORKSPACE);
    return !("error" in compiled) && compiled.matches(one);
  });

describe("a policy that rejects, as a rule", () => {
  it("is never about less than its patterns say", () => {
    fc.assert(
      fc.property(
        fc.array(pattern, { maxLength: 2 }),
        fc.array(pattern, { maxLength: 2 }),
        path,
        (include, exclude, one) => {
          const isMeant = (include.length === 0 || matches(include, one)) && !matches(exclude, one);
          if (isMeant) expect(judged({ include_paths: include, exclude_paths: exclude }, { path: one })).toBe("deny");
        },
      ),
      { numRuns: 500 },
    );
  });

  it("leaves what it excludes alone", () => {
    fc.assert(
      fc.property(fc.array(pattern, { minLength: 1, maxLength: 2 }), path, (exclude, one) => {
        if (matches(exclude, one)) expect(judged({ exclude_paths: exclude }, { path: one })).toBe("allow");
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    ["docs/open", undefined, "allow"],
    ["docs/open", true, "deny"],
    ["docs/*", true, "deny"],
  ] as const)("does not exclude a folder with all that is in it: %s", (exclude, tree, effect) => {
    const touch = { path: `${WORKSPACE}/docs/open`, ...(tree && { tree }) };
    expect(judged({ exclude_paths: [exclude] }, touch)).toBe(effect);
  });
});
