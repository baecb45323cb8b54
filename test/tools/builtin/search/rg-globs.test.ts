import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hiddenBy } from "../../../../src/rules/hidden-by.ts";
import { globBelow, hidesIgnoreFiles, hidingGlobs } from "../../../../src/tools/builtin/search/rg-globs.ts";
import { installedRipgrep } from "../../../../src/tools/builtin/search/ripgrep.ts";
import { openScratch } from "../../../files/scratch.ts";

const rg = await installedRipgrep();

describe("hidingGlobs", () => {
  it.each([
    ["./.env", "/w/.env"],
    ["./**/.env", "/w/**/.env"],
    ["./keys/**", "/w/keys"],
    ["**", "/**"],
    ["/etc/*.conf", "/etc/*.conf"],
    ["./a\\*b{", "/**"], // not a pattern: everything is hidden
    ["./a\\*\\[b", "/w/a\\*\\[b"],
    ["./!x", "/w/\\!x"],
    ["./x ", "/w/x {,}"],
  ])("%s becomes %s", (pattern, glob) => expect(hidingGlobs([pattern], "/w")).toEqual([glob]));

  const NAME = fc.constantFrom(
    "a",
    "b",
    "ab",
    "é",
    "éa",
    "日",
    "a b",
    "x ",
    "n\n",
    "-rf",
    "!a",
    "#a",
    "a*",
    "[a]",
    "{a,b}",
    "\\",
  );
  const PATH = fc.array(NAME, { minLength: 1, maxLength: 3 }).map((names) => names.join("/"));
  const PART = fc.constantFrom(
    "a",
    "é",
    "日",
    "?",
    "*",
    "**",
    "a*",
    "?a",
    "*b",
    "a b",
    "x ",
    "n\n",
    "!a",
    "#a",
    "a\\*",
    "\\[a\\]",
    "\\{a,b\\}",
    "\\\\",
  );
  /** Not `./**`: a rule about the searched folder itself is no rule about what to hide in it. */
  const PATTERN = fc
    .array(PART, { minLength: 1, maxLength: 3 })
    .filter((parts) => parts.some((part) => part !== "**"))
    .map((parts) => `./${parts.join("/")}`);

  it.skipIf(rg === null)("hide from ripgrep what the rules hide, and nothing else", () => {
    void fc.assert(
      fc.property(
        fc.array(PATH, { minLength: 1, maxLength: 8 }),
        fc.array(PATTERN, { minLength: 1, maxLength: 3 }),
        (paths, hide) => {
          using scratch = openScratch();
          const files = paths.filter((path) => {
            try {
              return scratch.put(path) !== "";
            } catch {
              return false; // a name of one path is a folder of another
            }
          });
          const { workspace } = scratch;
          const isHidden = hiddenBy(hide, workspace);
          const isShown = (path: string) =>
            path.split("/").every((_, i, names) => !isHidden(`${workspace}/${names.slice(0, i + 1).join("/")}`));
          const globs = hidingGlobs(hide, workspace).map((glob) => `--glob=!${glob}`);
          const found = listed([
            "--no-config",
            "--files",
            "--null",
            "--hidden",
            "--no-ignore",
            ...globs,
            "--",
            workspace,
          ]);
          const expected = new Set(files.filter(isShown).map((path) => `${workspace}/${path}`));
          expect(new Set(found)).toEqual(expected);
        },
      ),
      { numRuns: 150 },
    );
  });

  /** ripgrep ends with 1 where it lists nothing. */
  function listed(args: readonly string[]): readonly string[] {
    try {
      return execFileSync(rg ?? "", args, { cwd: "/", encoding: "utf8" })
        .split("\0")
        .slice(0, -1);
    } catch (error) {
      if ((error as { status?: number }).status === 1) return [];
      throw error;
    }
  }
});

it.each([
  ["*.ts", "/w/**/*.ts"],
  ["src/*.ts", "/w/src/*.ts"],
  ["/src", "/w/src"],
  ["./src", "/w/src"],
  ["src/", "/w/**/src/**"],
  ["a/src/", "/w/a/src/**"],
  ["!x", "/w/**/!x"],
  ["#x", "/w/**/#x"],
  ["--pre=sh", "/w/**/--pre=sh"],
  ["x ", "/w/**/x {,}"],
])("a user's glob %s below /w is %s", (pattern, glob) => expect(globBelow("/w", pattern)).toBe(glob));

it("a root is taken for itself, whatever it is called", () =>
  expect(globBelow("/a*[b]{c}!", "*.ts")).toBe("/a\\*\\[b\\]\\{c\\}\\!/**/*.ts"));

it.each([
  [[], false],
  [["./**/.env", "./keys/**"], false],
  [["./src/.gitignore"], true],
  [["./**/.git*"], true],
  [["./**/?gitignore"], true],
  [["./src/*"], false], // all of the folder is hidden, so what its `.gitignore` says does not show
  [["./src/**"], false],
  [["not a pattern"], false], // everything is hidden
])("%j hides a .gitignore and not its folder: %j", (hide, expected) =>
  expect(hidesIgnoreFiles(hide as string[], "/w")).toBe(expected),
);
