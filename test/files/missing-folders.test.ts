import { symlinkSync } from "node:fs";
import { join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import type { CheckedPath } from "../../src/ports/files.ts";
import { openScratch, unwrap } from "./scratch.ts";

/** A path, and the folders above it that are not there. */
const CASES: [string, readonly string[]][] = [
  ["a.txt", []],
  ["there/a.txt", []],
  ["new/a.txt", ["new"]],
  ["there/new/deeper/a.txt", ["there/new", "there/new/deeper"]],
  ["nosuch/../a.txt", []],
  ["nosuch/../there/new/a.txt", ["there/new"]],
  ["dangling/a.txt", ["nowhere"]],
  ["file.txt/a.txt", []],
  ["file.txt/new/a.txt", []],
  ["way-out/new/a.txt", []],
  ["/nosuch/a.txt", []],
  ["../beside/a.txt", []],
];

describe("the folders that a path lacks", () => {
  it.each(CASES)("%s: %j", async (rawPath, expected) => {
    using scratch = openScratch();
    scratch.put("there/x");
    scratch.put("file.txt");
    symlinkSync("nowhere", join(scratch.workspace, "dangling"));
    symlinkSync(scratch.outside, join(scratch.workspace, "way-out"));
    const path = await scratch.checked(rawPath);
    const missing = unwrap(await scratch.files.missingFolders(path));
    expect(missing.map((folder) => relative(scratch.workspace, folder))).toEqual(expected);
  });

  it("are none of a folder that only begins with the workspace's name", async () => {
    using scratch = openScratch();
    const beside = `${scratch.workspace}-evil/new/a.txt` as CheckedPath;
    expect(unwrap(await scratch.files.missingFolders(beside))).toEqual([]);
  });
});
