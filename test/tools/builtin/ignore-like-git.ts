import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { expect } from "vitest";
import { listDirectoryTool } from "../../../src/tools/builtin/list-directory.ts";
import { openScratch } from "../../files/scratch.ts";
import { useTool } from "./use-tool.ts";

const NAME = fc.constantFrom("a", "b", "ab", "a.txt", "b.txt", ".hidden", "#x", "!y", "[z]", "a b", "x ");
const PATH = fc.array(NAME, { minLength: 1, maxLength: 4 }).map((names) => names.join("/"));
/** Not among them: `a**` and `***`, which git does not treat as its manual says ("regular asterisks"). */
const PART = fc.constantFrom(
  "a",
  "b",
  "*",
  "**",
  "?",
  "a*",
  "*.txt",
  "[ab]",
  "[!a]",
  "[a-b]*",
  ".hidden",
  "\\#x",
  "\\!y",
  "a b",
  "\\[z\\]",
  "x\\ ",
);
const PATTERN = fc
  .tuple(
    fc.constantFrom("", "", "!"),
    fc.constantFrom("", "", "/"),
    fc.array(PART, { minLength: 1, maxLength: 3 }),
    fc.constantFrom("", "", "/", "  "),
  )
  .map(([not, root, parts, end]) => not + root + parts.join("/") + end);
const RULES = fc.array(PATTERN, { maxLength: 5 }).map((lines) => ["# comment", "", ...lines].join("\n"));

const entriesOf = ({ result }: Awaited<ReturnType<typeof useTool>>): string[] => {
  const structured =
    result?.kind === "completed" ? (result.structured as { entries: { name: string; kind: string }[] }) : null;
  return (structured?.entries ?? []).filter(({ kind }) => kind === "file").map(({ name }) => name);
};

/** What is listed is what git would take into the repository, in random trees with random `.gitignore` files. */
export async function ignoresLikeGit(numRuns: number): Promise<void> {
  await fc.assert(
    fc.asyncProperty(
      fc.array(PATH, { minLength: 1, maxLength: 12 }),
      RULES,
      RULES,
      async (paths, rules, innerRules) => {
        using scratch = openScratch();
        scratch.put(".gitignore", rules);
        scratch.put("a b/.gitignore", innerRules);
        for (const path of paths) {
          try {
            scratch.put(path);
          } catch {
            // A name of one path is a folder of another.
          }
        }
        const git = (...args: string[]) => execFileSync("git", args, { cwd: scratch.workspace, encoding: "utf8" });
        git("init", "--quiet");
        const expected = git("ls-files", "-z", "--others", "--exclude-standard").split("\0").slice(0, -1);
        const used = await useTool(listDirectoryTool(scratch.files), { path: ".", recursive: true, limit: 2000 });
        expect(entriesOf(used)).toEqual(expected.sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))));
      },
    ),
    { numRuns },
  );
}
