import { chmodSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { digestOfText } from "../../../src/domain/digest.ts";
import { LIMITS } from "../../../src/domain/limits.ts";
import { applyPatchTool } from "../../../src/tools/builtin/apply-patch.ts";
import { failingCalls } from "../../files/failing-calls.ts";
import { openScratch, type Scratch } from "../../files/scratch.ts";
import { codeOf, contentOf, messageOf, textOf, touchesOf, useTool } from "./use-tool.ts";

const codex = (...lines: string[]): string => ["*** Begin Patch", ...lines, "*** End Patch", ""].join("\n");

const apply = (scratch: Scratch, patch: string, between?: () => void) =>
  useTool(applyPatchTool(scratch.files), { patch }, between ? { between } : {});

const EVERYTHING = codex(
  "*** Add File: new.txt",
  "+new",
  "*** Update File: changed.txt",
  "-old",
  "+changed",
  "*** Update File: from.txt",
  "*** Move to: to.txt",
  "-old",
  "+moved",
  "*** Delete File: gone.txt",
);

const fill = (scratch: Scratch) => {
  for (const name of ["changed.txt", "from.txt", "gone.txt"]) scratch.put(name, "old\n");
};

const contents = (scratch: Scratch) => Object.fromEntries(scratch.names().map((name) => [name, scratch.text(name)]));

const BEFORE = { "changed.txt": "old\n", "from.txt": "old\n", "gone.txt": "old\n" };
const AFTER = { "changed.txt": "changed\n", "new.txt": "new\n", "to.txt": "moved\n" };

describe("apply_patch", () => {
  it("makes the folders that new and moved files need, or none", async () => {
    using scratch = openScratch();
    scratch.put("a", "a\n");
    const patch = codex("*** Add File: new/b", "+b", "*** Update File: a", "*** Move to: new/deeper/a");
    const failed = await apply(scratch, patch, () => scratch.put("new/deeper/a", "theirs"));
    expect([codeOf(failed), scratch.text("new/deeper/a"), scratch.text("a")]).toEqual(["FILE_EXISTS", "theirs", "a\n"]);
    rmSync(at(scratch, "new"), { recursive: true });
    const used = await apply(scratch, patch);
    expect(touchesOf(used, scratch.workspace)).toEqual([
      ...["write new/b", "read a", "write new/deeper/a", "delete a"],
      ...["write new", "write new/deeper"],
    ]);
    expect([codeOf(used), scratch.text("new/b"), scratch.text("new/deeper/a")]).toEqual(["completed", "b\n", "a\n"]);
    expect(scratch.names()).toEqual(["new"]);
  });

  it("adds, changes, moves and deletes, and tells what it did", async () => {
    using scratch = openScratch();
    fill(scratch);
    const used = await apply(scratch, EVERYTHING);
    expect(contents(scratch)).toEqual(AFTER);
    expect(textOf(used)).toBe("Patch applied to 4 files:\nA new.txt\nM changed.txt\nR from.txt -> to.txt\nD gone.txt");
    expect(contentOf(used).slice(0, -1)).toEqual([
      { type: "diff", path: "new.txt", diff: "--- /dev/null\n+++ b/new.txt\n@@ -0,0 +1 @@\n+new\n", newText: "new\n" },
      {
        type: "diff",
        path: "changed.txt",
        diff: "--- a/changed.txt\n+++ b/changed.txt\n@@ -1 +1 @@\n-old\n+changed\n",
        oldText: "old\n",
        newText: "changed\n",
      },
      {
        type: "diff",
        path: "to.txt",
        diff: "--- a/from.txt\n+++ b/to.txt\n@@ -1 +1 @@\n-old\n+moved\n",
        oldText: "old\n",
        newText: "moved\n",
      },
    ]);
  });

  it("plans a touch and the digests for each file", async () => {
    using scratch = openScratch();
    fill(scratch);
    const used = await apply(scratch, EVERYTHING);
    expect(touchesOf(used, scratch.workspace)).toEqual([
      "write new.txt",
      "read changed.txt",
      "write changed.txt",
      "read from.txt",
      "write to.txt",
      "delete from.txt",
      "delete gone.txt",
    ]);
    const path = (name: string) => join(scratch.workspace, name);
    const old = digestOfText("old\n");
    expect(used.plan?.operands).toEqual([
      { path: path("new.txt"), before: null, after: digestOfText("new\n") },
      { path: path("changed.txt"), before: old, after: digestOfText("changed\n") },
      { path: path("to.txt"), before: null, after: digestOfText("moved\n") },
      { path: path("from.txt"), before: old, after: null },
      { path: path("gone.txt"), before: old, after: null },
    ]);
  });

  it("asks to read a file whose deletion says what it holds", async () => {
    using scratch = openScratch();
    scratch.put("a.txt", "old\n");
    const used = await apply(scratch, "--- a/a.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-old\n");
    expect(touchesOf(used, scratch.workspace)).toEqual(["read a.txt", "delete a.txt"]);
    expect(scratch.names()).toEqual([]);
  });

  it("does not delete a file that holds more than the patch removes", async () => {
    using scratch = openScratch();
    scratch.put("a.txt", "old\nmore\n");
    const used = await apply(scratch, "--- a/a.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-old\n");
    expect([codeOf(used), scratch.names()]).toEqual(["CONTENT_NOT_FOUND", ["a.txt"]]);
  });
});

const at = (scratch: Scratch, path: string) => join(scratch.workspace, path);

/** What is in the way before or after planning, and the code. */
const TROUBLES: [string, "before" | "between", (scratch: Scratch) => unknown, string][] = [
  ["nothing", "before", () => {}, "completed"],
  ["a changed file", "between", (s) => s.put("changed.txt", "other\n"), "CONFLICT"],
  ["a changed file that goes away", "between", (s) => s.put("gone.txt", "other\n"), "CONFLICT"],
  ["a changed file that moves", "between", (s) => s.put("from.txt", "other\n"), "CONFLICT"],
  ["a file that is gone", "between", (s) => rmSync(at(s, "changed.txt")), "CONFLICT"],
  ["a file that should be new", "before", (s) => s.put("new.txt", "x"), "FILE_EXISTS"],
  ["a file that should be new, by then", "between", (s) => s.put("new.txt", "x"), "FILE_EXISTS"],
  ["a file where one moves to", "before", (s) => s.put("to.txt", "x"), "FILE_EXISTS"],
  ["a directory where one moves to", "between", (s) => mkdirSync(at(s, "to.txt")), "NOT_REGULAR_FILE"],
  ["a link where one moves to", "between", (s) => symlinkSync("x", at(s, "to.txt")), "CONFLICT"],
  ["other lines", "before", (s) => s.put("changed.txt", "other\n"), "CONTENT_NOT_FOUND"],
  ["the lines twice", "before", (s) => s.put("from.txt", "old\nold\n"), "MULTIPLE_MATCHES"],
  ["no file to change", "before", (s) => rmSync(at(s, "changed.txt")), "FILE_NOT_FOUND"],
  ["no file to delete", "before", (s) => rmSync(at(s, "gone.txt")), "FILE_NOT_FOUND"],
  ["no text", "before", (s) => s.put("changed.txt", Uint8Array.of(0xff)), "NOT_TEXT"],
];

describe("apply_patch is all or nothing", () => {
  it.each(TROUBLES)("%s (%s): then %s", async (_, when, trouble, code) => {
    using scratch = openScratch();
    fill(scratch);
    if (when === "before") trouble(scratch);
    const before = when === "before" ? scratch.names() : null;
    let names = before ?? [];
    const used = await apply(scratch, EVERYTHING, () => {
      if (when === "between") trouble(scratch);
      names = scratch.names();
    });
    expect(codeOf(used)).toBe(code);
    expect(scratch.names()).toEqual(code === "completed" ? Object.keys(AFTER) : names);
  });

  it("whichever call to the disk fails", async () => {
    for (let call = 1; call <= 6; call += 1) {
      using scratch = openScratch();
      fill(scratch);
      {
        using _failing = failingCalls({ call });
        expect(codeOf(await apply(scratch, EVERYTHING))).toBe("IO_ERROR");
      }
      expect(contents(scratch)).toEqual(BEFORE);
    }
  });

  it("tells which file it was, and that nothing was changed", async () => {
    using scratch = openScratch();
    fill(scratch);
    using _failing = failingCalls({ call: 4 });
    expect(messageOf(await apply(scratch, EVERYTHING))).toBe(
      "`to.txt` could not be read or written; nothing was changed",
    );
  });
});

describe("apply_patch of what is no text", () => {
  const PICTURE = Uint8Array.of(0x89, 0x50, 0xff, 0x00);

  it("moves it", async () => {
    using scratch = openScratch();
    scratch.put("a.png", PICTURE);
    const used = await apply(scratch, codex("*** Update File: a.png", "*** Move to: b.png"));
    expect(contentOf(used)).toEqual([{ type: "text", text: "Patch applied to 1 file:\nR a.png -> b.png" }]);
    expect(readFileSync(at(scratch, "b.png"))).toEqual(Buffer.from(PICTURE));
    expect(scratch.names()).toEqual(["b.png"]);
  });

  it("deletes it", async () => {
    using scratch = openScratch();
    scratch.put("a.png", PICTURE);
    expect(codeOf(await apply(scratch, codex("*** Delete File: a.png")))).toBe("completed");
    expect(scratch.names()).toEqual([]);
  });
});

describe("apply_patch and modes", () => {
  it("keeps the mode of what changes and what moves", async () => {
    using scratch = openScratch();
    fill(scratch);
    chmodSync(at(scratch, "changed.txt"), 0o640);
    chmodSync(at(scratch, "from.txt"), 0o751);
    await apply(scratch, EVERYTHING);
    const modes = ["changed.txt", "to.txt"].map((name) => statSync(at(scratch, name)).mode & 0o777);
    expect(modes).toEqual([0o640, 0o751]);
  });

  it.each([
    ["diff --git a/x.sh b/x.sh\nold mode 100644\nnew mode 100755\n", 0o755],
    ["diff --git a/new.sh b/new.sh\nnew file mode 100755\n--- /dev/null\n+++ b/new.sh\n@@ -0,0 +1 @@\n+x\n", 0o755],
    ["diff --git a/new.sh b/new.sh\nnew file mode 100644\n--- /dev/null\n+++ b/new.sh\n@@ -0,0 +1 @@\n+x\n", 0o644],
  ])("%j gives %o", async (patch, mode) => {
    using scratch = openScratch();
    chmodSync(scratch.put("x.sh", "x\n"), 0o644);
    const umask = process.umask(0o022);
    await apply(scratch, patch);
    process.umask(umask);
    const name = scratch.names().includes("new.sh") ? "new.sh" : "x.sh";
    expect(statSync(at(scratch, name)).mode & 0o777).toBe(mode);
  });
});

describe("apply_patch refuses", () => {
  it.each([
    ["a patch that can't be read", "--- x\n", "INVALID_ARGUMENTS", "line 2 of the patch: the patch changes no file"],
    [
      "one file twice",
      codex("*** Delete File: a", "*** Add File: ./a"),
      "INVALID_ARGUMENTS",
      "the patch names `a` twice",
    ],
    [
      "one file under two names",
      codex("*** Delete File: a", "*** Delete File: link"),
      "INVALID_ARGUMENTS",
      "the patch names `a` twice",
    ],
    [
      "a move to itself",
      codex("*** Update File: a", "*** Move to: a"),
      "INVALID_ARGUMENTS",
      "the patch names `a` twice",
    ],
    ["a path that is none", codex("*** Delete File: a\0"), "PATH_INVALID", "the path holds a NUL character"],
    [
      "a folder outside that is not there",
      codex("*** Add File: ../dir/x"),
      "FILE_NOT_FOUND",
      "the directory of `../dir/x` does not exist",
    ],
    ["a new folder", codex("*** Add File: dir/", "+x"), "INVALID_ARGUMENTS", "`dir/` names a folder"],
    [
      "a file that is a folder as well",
      codex("*** Add File: dir/x", "+x", "*** Add File: dir", "+x"),
      "INVALID_ARGUMENTS",
      "`dir` would be a file and a folder",
    ],
  ])("%s", async (_, patch, code, message) => {
    using scratch = openScratch();
    scratch.put("a");
    symlinkSync("a", at(scratch, "link"));
    const used = await apply(scratch, patch);
    expect([codeOf(used), messageOf(used)]).toEqual([code, message]);
    expect(scratch.names()).toEqual(["a", "link"]);
  });

  it("a patch that is too large", async () => {
    using scratch = openScratch();
    expect(codeOf(await apply(scratch, `${" ".repeat(LIMITS.patchBytes.maximum)}x`))).toBe("INVALID_ARGUMENTS");
  });

  it.each([
    [codex("*** Add File: x", "+[REDACTED:k]"), "REDACTED_CONTENT"],
    [codex("*** Update File: a.txt", "-a [REDACTED:k]", "+b [REDACTED:k]"), "completed"],
    [codex("*** Update File: a.txt", " a [REDACTED:k]", "+b"), "completed"],
    [codex("*** Update File: a.txt", " a [REDACTED:k]", "+b [REDACTED:k]"), "REDACTED_CONTENT"],
  ])("marks of redacted secrets that were not there: %j", async (patch, code) => {
    using scratch = openScratch();
    scratch.put("a.txt", "a [REDACTED:k]\n");
    expect(codeOf(await apply(scratch, patch))).toBe(code);
  });
});
