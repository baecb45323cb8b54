import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { literalPattern } from "../../src/rules/path-component.ts";
import { compilePathPattern } from "../../src/rules/path-pattern.ts";

const WORKSPACE = "/workspace";

function matches(pattern: string, path: string, workspace = WORKSPACE): boolean {
  const compiled = compilePathPattern(pattern, workspace);
  if ("error" in compiled) throw new Error(compiled.error);
  return compiled.matches(path);
}

/** Each pattern with paths on both sides of its border. */
const BORDERS: readonly [pattern: string, inside: readonly string[], outside: readonly string[]][] = [
  [".", ["/workspace"], ["/", "/workspace/a", "/workspace-evil", "/workspac"]],
  ["./**", ["/workspace", "/workspace/a", "/workspace/.a/b"], ["/", "/workspace-evil", "/workspace-evil/a", "/a"]],
  ["/workspace/**", ["/workspace", "/workspace/a"], ["/workspace-evil", "/workspace-evil/a", "/x/workspace/a"]],
  ["./*", ["/workspace/a", "/workspace/.a"], ["/workspace", "/workspace/a/b", "/a"]],
  ["./src/*.ts", ["/workspace/src/a.ts", "/workspace/src/.ts"], ["/workspace/src/a.tsx", "/workspace/src/a/b.ts"]],
  ["./src/?.ts", ["/workspace/src/a.ts", "/workspace/src/😀.ts"], ["/workspace/src/.ts", "/workspace/src/ab.ts"]],
  ["./a*b*c", ["/workspace/abc", "/workspace/aXbbYc"], ["/workspace/acb", "/workspace/ab/c", "/workspace/abcd"]],
  ["./*?", ["/workspace/a", "/workspace/😀😀"], ["/workspace", "/workspace/a/b"]],
  ["./**/.env", ["/workspace/.env", "/workspace/a/b/.env"], ["/.env", "/workspace/.env/a", "/workspace/a.env"]],
  ["./**/.env.*", ["/workspace/.env.", "/workspace/a/.env.local"], ["/workspace/.env", "/workspace/a/x.env.local"]],
  ["**/.env", ["/.env", "/etc/.env", "/workspace/a/.env"], ["/etc/.envrc", "/.env/x", "/"]],
  ["./**/.git/**", ["/workspace/.git", "/workspace/a/.git/hooks/x"], ["/workspace/.gitignore", "/.git", "/workspace"]],
  ["./**/a/**/b", ["/workspace/a/b", "/workspace/x/a/a/y/b"], ["/workspace/b/a", "/workspace/a", "/workspace/a/b/c"]],
  ["./**/a/b/**/c", ["/workspace/a/a/b/c", "/workspace/a/b/c/c"], ["/workspace/a/c/b/c", "/workspace/a/b"]],
  ["./**/**/a", ["/workspace/a", "/workspace/b/a"], ["/workspace", "/workspace/a/b"]],
  ["/etc/**", ["/etc", "/etc/passwd"], ["/etcetera", "/workspace/etc/passwd"]],
  ["/", ["/"], ["/a"]],
  ["/**", ["/", "/a", "/a/b"], []],
  ["**", ["/", "/a", "/a/b"], []],
  ["/*", ["/a"], ["/", "/a/b"]],
  ["./a.c", ["/workspace/a.c"], ["/workspace/abc", "/workspace/A.C"]],
  ["./\\[id\\].ts", ["/workspace/[id].ts"], ["/workspace/i.ts"]],
  ["./\\*\\?\\\\\\{\\}", ["/workspace/*?\\{}"], ["/workspace/aa"]],
  ["./(a|b)+", ["/workspace/(a|b)+"], ["/workspace/a"]],
  ["./a!", ["/workspace/a!"], ["/workspace/a"]],
];

describe.each(BORDERS)("%s", (pattern, inside, outside) => {
  it.each(inside)("matches %s", (path) => expect(matches(pattern, path)).toBe(true));
  if (outside.length > 0) it.each(outside)("does not match %s", (path) => expect(matches(pattern, path)).toBe(false));
});

it("takes the workspace's own name literally", () => {
  expect(matches("./**", "/w/*[x]/a", "/w/*[x]")).toBe(true);
  expect(matches("./**", "/w/yx/a", "/w/*[x]")).toBe(false);
  expect(matches("./**", "/anything", "/")).toBe(true);
  expect(matches(".", "/", "/")).toBe(true);
});

it.each<[pattern: string, error: string, hint?: string]>([
  ["", "a path pattern is empty", "write `./**` for the whole workspace"],
  ["src/**", "the pattern `src/**` does not say where it begins", "write `./src/**` for the workspace"],
  ["*", "the pattern `*` does not say where it begins", "write `./*` for the workspace"],
  [".env", "the pattern `.env` does not say where it begins", "write `./.env` for the workspace"],
  ["**x", "the pattern `**x` does not say where it begins", "write `./**x` for the workspace"],
  ["~/x", "the pattern `~/x` begins with `~`", "write the absolute path"],
  ["../x", "the pattern `../x` leaves the workspace", "write the absolute path"],
  ["!./x", "the pattern `!./x` is negated", "write a rule of another effect for the exception"],
  ["./a/../b", "the pattern `./a/../b` has `..` for a component", "write the path without it"],
  ["/a/./b", "the pattern `/a/./b` has `.` for a component", "write the path without it"],
  ["./", "the pattern `./` has an empty component", "write one slash, and none at the end"],
  ["//a", "the pattern `//a` has an empty component", "write one slash, and none at the end"],
  ["/a/", "the pattern `/a/` has an empty component", "write one slash, and none at the end"],
  ["./**.ts", "the pattern `./**.ts` has `**` within a component", "write `**` between slashes, or a single `*`"],
  [
    "./[ab]",
    "the pattern `./[ab]` has `[`, which has no meaning here",
    "use `?` for one character, or write `\\[` for the character itself",
  ],
  [
    "./*.{a,b}",
    "the pattern `./*.{a,b}` has `{`, which has no meaning here",
    "write one pattern for each alternative, or `\\{` for the character itself",
  ],
  ["./\\a", "the pattern `./\\a` has a backslash before an ordinary character", "leave it out"],
  ["./a\\", "the pattern `./a\\` has a backslash before an ordinary character", "leave it out"],
  ["./a\0", "the pattern `./a\\u{0}` can match no path"],
  ["./\ud800", "the pattern `./\\u{d800}` can match no path"],
  [`./${"a".repeat(4095)}`, "a path pattern is longer than any path"],
])("refuses %j", (pattern, error, hint) =>
  expect(compilePathPattern(pattern, WORKSPACE)).toEqual(hint === undefined ? { error } : { error, hint }),
);

it("refuses a workspace that is not absolute, under which no deny would match", () =>
  expect(compilePathPattern("./**", "workspace")).toEqual({
    error: "the workspace `workspace` is not an absolute path",
  }));

it("has a literal form for every path", () => {
  const name = fc
    .string({ minLength: 1, maxLength: 6, unit: "grapheme" })
    .filter((text) => !/^\.{1,2}$|[/\0]/.test(text));
  const somePath = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => `/${names.join("/")}`);
  void fc.assert(
    fc.property(somePath, somePath, (path, other) => {
      expect(matches(literalPattern(path), path)).toBe(true);
      expect(matches(literalPattern(path), other)).toBe(path === other);
    }),
  );
});

it("needs no more steps for a hostile pattern than the product of the lengths", () => {
  // Exponential matchers don't come back from these in the lifetime of a test run.
  expect(matches(`./${"*a".repeat(1000)}b`, `/workspace/${"a".repeat(3000)}`)).toBe(false);
  expect(matches(`./**${"/a/**".repeat(500)}/b`, `/workspace${"/a".repeat(1500)}`)).toBe(false);
  expect(matches(`./**${"/a*/**".repeat(500)}/b*b`, `/workspace${"/a".repeat(1500)}/bc`)).toBe(false);
});
