import { chmodSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { digestOfText } from "../../../src/domain/digest.ts";
import { LIMITS } from "../../../src/domain/limits.ts";
import { editFileTool } from "../../../src/tools/builtin/edit-file.ts";
import { failingCalls } from "../../files/failing-calls.ts";
import { openScratch, type Scratch } from "../../files/scratch.ts";
import { codeOf, contentOf, messageOf, touchesOf, useTool } from "./use-tool.ts";

const replace = (oldText: string, newText: string) => ({ type: "replace", oldText, newText });

const edit = (scratch: Scratch, edits: object[], between?: () => void) =>
  useTool(editFileTool(scratch.files), { path: "a.txt", edits }, between ? { between } : {});

describe("edit_file", () => {
  it("answers with the diff and both texts", async () => {
    using scratch = openScratch();
    chmodSync(scratch.put("a.txt", "1\n2\n3"), 0o640);
    const used = await edit(scratch, [replace("2", "two"), { type: "insert", line: 0, newText: "0" }]);
    expect(contentOf(used)).toEqual([
      {
        type: "diff",
        path: "a.txt",
        diff: "--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,4 @@\n+0\n 1\n-2\n+two\n 3\n\\ No newline at end of file\n",
        oldText: "1\n2\n3",
        newText: "0\n1\ntwo\n3",
      },
      { type: "text", text: "File edited successfully: a.txt (2 edits)" },
    ]);
    expect(scratch.text("a.txt")).toBe("0\n1\ntwo\n3");
    expect(statSync(join(scratch.workspace, "a.txt")).mode & 0o777).toBe(0o640);
  });

  it("plans to read and to write the file, from one digest to the other", async () => {
    using scratch = openScratch();
    const path = scratch.put("a.txt", "old");
    symlinkSync("a.txt", join(scratch.workspace, "link"));
    const used = await useTool(editFileTool(scratch.files), { path: "link", edits: [replace("old", "new")] });
    expect(touchesOf(used, scratch.workspace)).toEqual(["read a.txt", "write a.txt"]);
    expect(used.plan?.operands).toEqual([{ path, before: digestOfText("old"), after: digestOfText("new") }]);
  });

  it.each([
    ["the last edit does not fit", [replace("a", "x"), replace("nosuch", "y")], "CONTENT_NOT_FOUND"],
    ["an edit fits twice", [replace("a", "b")], "completed"],
    ["an edit fits twice by then", [replace("a", "b"), replace("b", "c")], "MULTIPLE_MATCHES"],
  ])("changes all or nothing: %s", async (_, edits, code) => {
    using scratch = openScratch();
    scratch.put("a.txt", "a b");
    expect(codeOf(await edit(scratch, edits))).toBe(code);
    expect(scratch.text("a.txt")).toBe(code === "completed" ? "b b" : "a b");
  });

  it("tells only a call that runs whether an edit fits: planning says nothing of what is in the file", async () => {
    using scratch = openScratch();
    const path = scratch.put("a.txt", "secret");
    const used = await edit(scratch, [replace("guess", "x")]);
    const before = digestOfText("secret");
    expect([used.refusal, codeOf(used)]).toEqual([null, "CONTENT_NOT_FOUND"]);
    expect(used.plan?.operands).toEqual([{ path, before, after: before }]);
  });

  it.each<[string, string | Uint8Array | null, string]>([
    ["no file", null, "FILE_NOT_FOUND"],
    ["no text", Uint8Array.of(0x61, 0xff), "NOT_TEXT"],
    ["too large", "a".repeat(LIMITS.editBytes.maximum + 1), "FILE_TOO_LARGE"],
    ["too large by then", `old${"a".repeat(LIMITS.editBytes.maximum - 3)}`, "FILE_TOO_LARGE"],
    ["just not too large by then", `old${"a".repeat(LIMITS.editBytes.maximum - 4)}`, "completed"],
  ])("%s", async (_, content, code) => {
    using scratch = openScratch();
    if (content !== null) scratch.put("a.txt", content);
    expect(codeOf(await edit(scratch, [replace("old", "newer".slice(0, 4))]))).toBe(code);
  });

  it.each([
    ["other text", "b"],
    ["the very result", "x"],
  ])("notices a change between planning and running: %s", async (_, other) => {
    using scratch = openScratch();
    scratch.put("a.txt", "a");
    const used = await edit(scratch, [replace("a", "x")], () => scratch.put("a.txt", other));
    expect([codeOf(used), scratch.text("a.txt")]).toEqual(["CONFLICT", other]);
  });

  it("leaves the file when the disk fails", async () => {
    using scratch = openScratch();
    scratch.put("a.txt", "a");
    using _failing = failingCalls({ call: 1 });
    expect(codeOf(await edit(scratch, [replace("a", "x")]))).toBe("IO_ERROR");
    expect(scratch.text("a.txt")).toBe("a");
  });
});

/** What is wrong with the arguments, and where. */
const BAD: [object[], string][] = [
  [[], "`edits` must have at least 1 item"],
  [[{ type: "replace", newText: "x" }], "`edits[0].oldText` is missing: the type `replace` needs it"],
  [[{ type: "insert", newText: "x" }], "`edits[0].line` is missing: the type `insert` needs it"],
  [[replace("a", "b"), { ...replace("a", "b"), line: 1 }], "`edits[1].line` does not go with the type `replace`"],
  [[{ type: "insert", line: 0, newText: "" }], "`edits[0].newText` has nothing to insert"],
  [[replace("", "x")], "`edits[0].oldText` must have at least 1 character"],
  [[{ type: "delete", newText: "x" }], "`edits[0].type` must be one of"],
];

describe("edit_file's arguments", () => {
  it.each(BAD)("%j: %s", async (edits, message) => {
    using scratch = openScratch();
    expect(messageOf(await edit(scratch, edits))).toContain(message);
  });
});

/** Text of the file, an edit, and the code. */
const MARKS: [string, object, string][] = [
  ["a", replace("a", "[REDACTED:key]"), "REDACTED_CONTENT"],
  ["a", { type: "insert", line: 0, newText: "[REDACTED:key]" }, "REDACTED_CONTENT"],
  ["x [REDACTED:key] y", replace("x [REDACTED:key] y", "z [REDACTED:key] y"), "completed"],
  ["x [REDACTED:key] y", replace("x", "z"), "completed"],
  ["x [REDACTED:key] y", replace("[REDACTED:key] y", "gone"), "completed"],
  ["x [REDACTED:key] y", replace("x [REDACTED:key]", "[REDACTED:key] [REDACTED:other]"), "REDACTED_CONTENT"],
  ["[REDACTX:", replace("X", "ED"), "REDACTED_CONTENT"],
];

describe("edit_file with the mark of a redacted secret", () => {
  it.each(MARKS)("%j with %j: %s", async (text, change, code) => {
    using scratch = openScratch();
    scratch.put("a.txt", text);
    expect(codeOf(await edit(scratch, [change]))).toBe(code);
    if (code !== "completed") expect(scratch.text("a.txt")).toBe(text);
  });

  it("is refused for its arguments alone, whatever is in the file", async () => {
    using scratch = openScratch();
    scratch.put("a.txt", "secret");
    const [right, wrong] = [replace("secret", "[REDACTED:x]"), replace("guess", "[REDACTED:x]")];
    expect((await edit(scratch, [right])).refusal).toEqual((await edit(scratch, [wrong])).refusal);
  });
});
