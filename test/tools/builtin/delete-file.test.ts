import { mkdirSync, readlinkSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { digestOfText } from "../../../src/domain/digest.ts";
import { deleteFileTool } from "../../../src/tools/builtin/delete-file.ts";
import { openScratch } from "../../files/scratch.ts";
import { codeOf, messageOf, textOf, touchesOf, useTool } from "./use-tool.ts";

describe("delete_file", () => {
  it("deletes a file and says which", async () => {
    using scratch = openScratch();
    const path = scratch.put("a.txt", "old");
    const used = await useTool(deleteFileTool(scratch.files), { path: "./a.txt" });
    expect(textOf(used)).toBe("File deleted: a.txt");
    expect(touchesOf(used, scratch.workspace)).toEqual(["delete a.txt"]);
    expect(used.plan?.operands).toEqual([{ path, before: digestOfText("old"), after: null }]);
    expect(scratch.names()).toEqual([]);
  });

  it("deletes a file that is named by way of a folder that does not exist", async () => {
    using scratch = openScratch();
    scratch.put("a.txt");
    const used = await useTool(deleteFileTool(scratch.files), { path: "nosuch/../a.txt" });
    expect([textOf(used), scratch.names()]).toEqual(["File deleted: a.txt", []]);
  });

  it("deletes what a link leads to, and names that as what it touches", async () => {
    using scratch = openScratch();
    scratch.put("a.txt");
    symlinkSync("a.txt", join(scratch.workspace, "link"));
    const used = await useTool(deleteFileTool(scratch.files), { path: "link" });
    expect(touchesOf(used, scratch.workspace)).toEqual(["delete a.txt"]);
    expect(scratch.names()).toEqual(["link"]);
    expect(readlinkSync(join(scratch.workspace, "link"))).toBe("a.txt");
  });

  it.each([
    ["nosuch", "FILE_NOT_FOUND", "there is no file at `nosuch`"],
    ["nosuch/a", "FILE_NOT_FOUND", "the directory of `nosuch/a` does not exist"],
    ["dir", "NOT_REGULAR_FILE", "`dir` is not a regular file"],
    [".", "NOT_REGULAR_FILE", "`.` is not a regular file"],
    ["/", "NOT_REGULAR_FILE", expect.stringContaining("is not a regular file")],
    ["/dev/null", "NOT_REGULAR_FILE", expect.stringContaining("is not a regular file")],
  ])("leaves %s alone: %s", async (path, code, message) => {
    using scratch = openScratch();
    mkdirSync(join(scratch.workspace, "dir"));
    const used = await useTool(deleteFileTool(scratch.files), { path });
    expect([codeOf(used), messageOf(used)]).toEqual([code, message]);
    expect(scratch.names()).toEqual(["dir"]);
  });

  it("notices a change between planning and running", async () => {
    using scratch = openScratch();
    scratch.put("a.txt", "old");
    const between = () => void scratch.put("a.txt", "other");
    expect(codeOf(await useTool(deleteFileTool(scratch.files), { path: "a.txt" }, { between }))).toBe("CONFLICT");
    expect(scratch.text("a.txt")).toBe("other");
  });
});
