import { execFileSync } from "node:child_process";
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { codeOf, openDescriptors, openScratch, type Scratch, unsafeChecked, unwrap } from "./scratch.ts";

const at = (scratch: Scratch, path: string) => join(scratch.workspace, path);

describe("list", () => {
  it("tells name, kind and size, in the order of bytes, with a directory's slash counted", async () => {
    using scratch = openScratch();
    for (const name of ["a.txt", "a0", "B", ".hidden", "é", "\u{ff61}", "\u{1f600}", "a\nb"]) scratch.put(name, "123");
    mkdirSync(at(scratch, "a"));
    symlinkSync("a", at(scratch, "link"));
    execFileSync("sh", ["-c", 'mkfifo "$1"', "sh", at(scratch, "pipe")]);
    const { entries, ...rest } = unwrap(await scratch.files.list(await scratch.checked(".")));
    expect(rest).toEqual({ truncated: false, unnamed: 0 });
    expect(entries.map(({ name, kind, bytes }) => [name, kind, bytes])).toEqual([
      [".hidden", "file", 3],
      ["B", "file", 3],
      ["a\nb", "file", 3],
      ["a.txt", "file", 3],
      ["a", "directory", 0],
      ["a0", "file", 3],
      ["link", "link", 0],
      ["pipe", "other", 0],
      ["é", "file", 3],
      ["\u{ff61}", "file", 3],
      ["\u{1f600}", "file", 3],
    ]);
    expect(entries.every(({ name, path }) => path === at(scratch, name))).toBe(true);
  });

  it("leaves out names that are not UTF-8, and counts them", async () => {
    using scratch = openScratch();
    writeFileSync(Buffer.concat([Buffer.from(`${scratch.workspace}/`), Buffer.of(0x61, 0xff)]), "x");
    scratch.put("a");
    const { entries, unnamed } = unwrap(await scratch.files.list(await scratch.checked(".")));
    expect([entries.length, unnamed]).toEqual([1, 1]);
  });

  it("lists the root directory", async () => {
    using scratch = openScratch();
    const { entries } = unwrap(await scratch.files.list(unsafeChecked("/")));
    expect(entries.find(({ name }) => name === "proc")).toMatchObject({ path: "/proc", kind: "directory" });
  });

  it.each([
    ["a.txt", "NOT_DIRECTORY"],
    ["nosuch", "FILE_NOT_FOUND"],
    ["nosuch/deeper", "FILE_NOT_FOUND"],
    ["a.txt/deeper", "CONFLICT"],
    ["/proc", "NOT_DIRECTORY"],
    ["/sys/kernel", "NOT_DIRECTORY"],
    ["/dev/null", "NOT_DIRECTORY"],
  ])("answers %s with %s", async (rawPath, code) => {
    using scratch = openScratch();
    scratch.put("a.txt");
    const descriptors = openDescriptors();
    expect(codeOf(await scratch.files.list(await scratch.checked(rawPath)))).toBe(code);
    expect(openDescriptors()).toBe(descriptors);
  });

  it.each([
    ["its parent", "dir", "moved"],
    ["the directory itself", "dir/inner", "dir/moved"],
  ])("does not go through a link that %s has become", async (_, path, moved) => {
    using scratch = openScratch();
    scratch.put("dir/inner/a.txt");
    mkdirSync(join(scratch.outside, "inner"));
    const checked = await scratch.checked("dir/inner");
    renameSync(at(scratch, path), at(scratch, moved));
    symlinkSync(scratch.outside, at(scratch, path));
    expect(codeOf(await scratch.files.list(checked))).toBe("CONFLICT");
    rmSync(at(scratch, path));
  });

  it("gives up at 50,000 names, and says so", async () => {
    using scratch = openScratch();
    mkdirSync(at(scratch, "many"));
    execFileSync("sh", ["-c", 'cd "$1" && seq 50001 | xargs touch', "sh", at(scratch, "many")]);
    const { entries, truncated } = unwrap(await scratch.files.list(await scratch.checked("many")));
    expect([entries.length, truncated]).toEqual([50_000, true]);
    rmSync(at(scratch, "many/1"));
    expect(unwrap(await scratch.files.list(await scratch.checked("many"))).truncated).toBe(false);
  });
});
