import { chmodSync, existsSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import type { CheckedPath, FileChange } from "../../src/ports/files.ts";
import { failingCalls } from "./failing-calls.ts";
import { bytesOf, codeOf, openDescriptors, openScratch, type Scratch, unwrap } from "./scratch.ts";

const at = (scratch: Scratch, path: string) => join(scratch.workspace, path);

async function inFolders(scratch: Scratch, rawPath: string): Promise<FileChange> {
  const path = await scratch.checked(rawPath);
  const folders = unwrap(await scratch.files.missingFolders(path));
  return { path, before: null, content: bytesOf("new"), folders };
}

/** What happens between judging and making, and the answer. Nothing of ours is left behind after a no. */
const TROUBLES: [string, (scratch: Scratch) => void, string][] = [
  ["nothing", () => {}, "ok"],
  ["somebody made the first one", (s) => mkdirSync(at(s, "new")), "ok"],
  ["somebody made all of them", (s) => mkdirSync(at(s, "new/deeper"), { recursive: true }), "ok"],
  ["the first one is a link now", (s) => symlinkSync(s.outside, at(s, "new")), "CONFLICT"],
  ["the first one is a link to nothing", (s) => symlinkSync("nowhere", at(s, "new")), "CONFLICT"],
  ["the first one is a file now", (s) => writeFileSync(at(s, "new"), ""), "CONFLICT"],
  [
    "the second one is a link now",
    (s) => {
      mkdirSync(at(s, "new"));
      symlinkSync(s.outside, at(s, "new/deeper"));
    },
    "CONFLICT",
  ],
  ["the file is there", (s) => s.put("new/deeper/a.txt", "theirs"), "CONFLICT"],
];

describe("folders that are made for a file", () => {
  it.each(TROUBLES)("%s: %3$s", async (_, trouble, code) => {
    using scratch = openScratch();
    const change = await inFolders(scratch, "new/deeper/a.txt");
    const descriptors = openDescriptors();
    trouble(scratch);
    const before = readdirSync(scratch.workspace, { recursive: true });
    expect(codeOf(await scratch.files.change([change]))).toBe(code);
    if (code === "ok") expect(scratch.text("new/deeper/a.txt")).toBe("new");
    else expect(readdirSync(scratch.workspace, { recursive: true })).toEqual(before);
    expect(readdirSync(scratch.outside)).toEqual(["secret.txt"]);
    expect(openDescriptors()).toBe(descriptors);
  });

  it("have the mode that the umask leaves", async () => {
    using scratch = openScratch();
    const change = await inFolders(scratch, "new/a.txt");
    const umask = process.umask(0o027);
    unwrap(await scratch.files.change([change]));
    process.umask(umask);
    expect(statSync(at(scratch, "new")).mode & 0o7777).toBe(0o750);
  });

  it("are only those that were named", async () => {
    using scratch = openScratch();
    const { folders, ...change } = await inFolders(scratch, "new/deeper/a.txt");
    for (const named of [undefined, [], folders?.slice(1), folders?.slice(0, 1)]) {
      const result = await scratch.files.change([{ ...change, ...(named && { folders: named }) }]);
      expect(codeOf(result)).toBe("FILE_NOT_FOUND");
      expect(scratch.names()).toEqual([]);
    }
  });

  it("serve all files of a change, and go away with it", async () => {
    using scratch = openScratch();
    const changes = [await inFolders(scratch, "new/a.txt"), await inFolders(scratch, "new/deeper/b.txt")];
    const taken = { path: await scratch.checked("c.txt"), before: null, content: bytesOf("c") };
    scratch.put("c.txt", "theirs");
    expect(codeOf(await scratch.files.change([...changes, taken]))).toBe("CONFLICT");
    expect(scratch.names()).toEqual(["c.txt"]);
    unwrap(await scratch.files.change(changes));
    expect([scratch.text("new/a.txt"), scratch.text("new/deeper/b.txt")]).toEqual(["new", "new"]);
  });

  it("go away whichever call of the operating system fails", async () => {
    for (let call = 1; ; call++) {
      using scratch = openScratch();
      const changes = [await inFolders(scratch, "new/a.txt"), await inFolders(scratch, "new/deeper/b.txt")];
      using failing = failingCalls({ call });
      const result = await scratch.files.change(changes);
      const files = ["new/a.txt", "new/deeper/b.txt"].filter((path) => existsSync(at(scratch, path)));
      if (files.length === 0) expect(scratch.names()).toEqual([]);
      else expect(files).toHaveLength(2);
      if (failing.count() < call) return expect(result.ok).toBe(true);
    }
  });

  it("stay where somebody else has put something meanwhile", async () => {
    using scratch = openScratch();
    const change = await inFolders(scratch, "new/a.txt");
    const other = { ...(await inFolders(scratch, "b.txt")), content: bytesOf("b") };
    scratch.put("b.txt", "theirs");
    const changing = scratch.files.change([change, other]);
    scratch.put("new/theirs.txt");
    expect(codeOf(await changing)).toBe("CONFLICT");
    expect(readdirSync(at(scratch, "new"))).toEqual(["theirs.txt"]);
  });

  it.skipIf(process.getuid?.() === 0)("are not made where this user may not", async () => {
    using scratch = openScratch();
    const change = await inFolders(scratch, "new/a.txt");
    chmodSync(scratch.workspace, 0o500);
    expect(codeOf(await scratch.files.change([change]))).toBe("ACCESS_DENIED");
    chmodSync(scratch.workspace, 0o700);
  });

  it("let many make the same ones side by side", async () => {
    using scratch = openScratch();
    const names = Array.from({ length: 20 }, (_, i) => `new/deeper/${i}.txt`);
    const changes = await Promise.all(names.map((name) => inFolders(scratch, name)));
    const results = await Promise.all(changes.map((change) => scratch.files.change([change])));
    expect(results.filter((result) => !result.ok)).toEqual([]);
    expect(readdirSync(dirname(at(scratch, names[0] ?? "")))).toHaveLength(20);
  });

  it("are no way around a path that is none", async () => {
    using scratch = openScratch();
    const change = await inFolders(scratch, "a.txt");
    const folders = [`${scratch.workspace}/x/../y` as CheckedPath];
    expect(codeOf(await scratch.files.change([{ ...change, folders }]))).toBe("PATH_INVALID");
    expect(scratch.names()).toEqual([]);
  });
});
