import { fstatSync, readdirSync, renameSync, rmSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { codeOf, openDescriptors, openScratch, unsafeChecked, unwrap } from "./scratch.ts";

describe("hold", () => {
  it("holds what was judged, whatever becomes of its name", async () => {
    using scratch = openScratch();
    scratch.put("dir/inside.txt");
    const dir = join(scratch.workspace, "dir");
    const { ino } = statSync(dir);
    using held = unwrap(await scratch.files.hold(await scratch.checked("dir"), "directory"));
    renameSync(dir, join(scratch.workspace, "moved"));
    symlinkSync(scratch.outside, dir);
    expect(fstatSync(held.fd).ino).toBe(ino);
    expect(readdirSync(`/proc/self/fd/${held.fd}`)).toEqual(["inside.txt"]);
    expect([held.path, held.kind]).toEqual([dir, "directory"]);
  });

  it.each([
    ["dir", "directory", "ok"],
    ["dir", "file", "CONFLICT"],
    ["dir/a.txt", "file", "ok"],
    ["dir/a.txt", "directory", "CONFLICT"],
    ["nosuch", "directory", "FILE_NOT_FOUND"],
    ["nosuch/deeper", "file", "FILE_NOT_FOUND"],
    ["dir/a.txt/deeper", "file", "CONFLICT"],
    ["/", "directory", "NOT_DIRECTORY"],
    ["/proc", "directory", "NOT_REGULAR_FILE"],
    ["/proc/version", "file", "NOT_REGULAR_FILE"],
    ["/dev/null", "file", "CONFLICT"],
  ] as const)("%s as %s: %s, and no descriptor stays open", async (rawPath, kind, code) => {
    using scratch = openScratch();
    scratch.put("dir/a.txt");
    const before = openDescriptors();
    const held = await scratch.files.hold(await scratch.checked(rawPath), kind);
    expect(codeOf(held)).toBe(code);
    if (held.ok) held.value[Symbol.dispose]();
    expect(openDescriptors()).toBe(before);
  });

  it.each(["dir", "dir/inner"])("does not go through the link that %s has become (A16)", async (swapped) => {
    using scratch = openScratch();
    scratch.put("dir/inner/a.txt");
    const path = await scratch.checked("dir/inner");
    renameSync(join(scratch.workspace, swapped), join(scratch.workspace, "moved"));
    symlinkSync(scratch.outside, join(scratch.workspace, swapped));
    expect(codeOf(await scratch.files.hold(path, "directory"))).toBe("CONFLICT");
    rmSync(join(scratch.workspace, swapped));
  });

  it("takes no path that nobody checked", async () => {
    using scratch = openScratch();
    expect(codeOf(await scratch.files.hold(unsafeChecked(`${scratch.workspace}/../x`), "file"))).toBe("PATH_INVALID");
  });
});
