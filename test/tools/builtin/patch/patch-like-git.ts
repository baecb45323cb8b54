import { execFileSync } from "node:child_process";
import { chmodSync, rmSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect } from "vitest";
import { applyPatchTool } from "../../../../src/tools/builtin/apply-patch.ts";
import { openScratch, type Scratch } from "../../../files/scratch.ts";
import { codeOf, messageOf, useTool } from "../use-tool.ts";

const NAME = fc.constantFrom("a", "b c", "d/e", "d/é", 'd/"q"', "run.sh", "tab\there");
const LINE = fc.constantFrom(
  "a",
  "b",
  "c",
  "d",
  "",
  " x",
  "-y",
  "+z",
  "--- a/x",
  "+++ b/x",
  "@@ -1 +1 @@",
  "é\u2028",
  "\r",
);
const TEXT = fc
  .array(fc.tuple(LINE, fc.constantFrom("\n", "\n", "\n", "\r\n")), { maxLength: 25 })
  .chain((lines) => fc.constantFrom(lines.flat().join(""), lines.flat().slice(0, -1).join("")));
const TREE = fc.dictionary(NAME, fc.record({ text: TEXT, executable: fc.boolean() }), { maxKeys: 5 });
type Tree = Record<string, { text: string; executable: boolean }>;

/** `git diff` of two random trees, applied to the first, gives the second: texts, names and modes. */
export async function patchesLikeGit(numRuns: number): Promise<void> {
  await fc.assert(
    fc.asyncProperty(TREE, TREE, fc.constantFrom("-U0", "-U1", "-U3"), async (from, to, context) => {
      using scratch = openScratch();
      const git = (...args: string[]) => execFileSync("git", args, { cwd: scratch.workspace, encoding: "utf8" });
      git("init", "--quiet", "--template=");
      git("config", "core.autocrlf", "false");
      const treeNow = () => {
        git("add", "--all");
        return git("write-tree").trim();
      };
      scratch.put("d/keep");
      put(scratch, from, {});
      const old = treeNow();
      put(scratch, to, from);
      const wanted = treeNow();
      const patch = git("diff", "--find-renames", "--text", context, old, wanted);
      git("read-tree", "-u", "--reset", old);
      // A patch without any CR is taken for one that leaves line ends to the file (005-file-tools.md); git is not so kind.
      if (patch === "" || (!patch.includes("\r") && Object.values(from).some(({ text }) => text.includes("\r"))))
        return;
      const used = await useTool(applyPatchTool(scratch.files), { patch });
      expect([codeOf(used), messageOf(used)]).toEqual(["completed", ""]);
      expect(treeNow()).toBe(wanted);
    }),
    { numRuns },
  );
}

function put(scratch: Scratch, tree: Tree, before: Tree): void {
  for (const name of Object.keys(before)) rmSync(join(scratch.workspace, name));
  for (const [name, { text, executable }] of Object.entries(tree)) {
    chmodSync(scratch.put(name, text), executable ? 0o755 : 0o644);
  }
}
