import { readdirSync, readFileSync, symlinkSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { digestOfText } from "../../src/domain/digest.ts";
import { Cursor } from "../../src/files/cursor.ts";
import { writeDraft } from "../../src/files/draft.ts";
import { bytesOf, openDescriptors, openScratch, unwrap } from "./scratch.ts";

let handles: FileHandle;

beforeAll(async () => {
  await using handle = await open("/dev/null");
  handles = Object.getPrototypeOf(handle);
});

afterEach(() => void vi.restoreAllMocks());

/** The disk fails at one system call of the write, the others are real. */
function failAt(step: "writeFile" | "chmod" | "sync", code: string, call = 1): void {
  const real = handles[step];
  let calls = 0;
  const error = Object.assign(new Error(code), { code, syscall: step });
  vi.spyOn(handles, step).mockImplementation(function (this: FileHandle, ...given: unknown[]) {
    calls += 1;
    return calls === call ? Promise.reject(error) : Reflect.apply(real, this, given);
  });
}

describe("a draft", () => {
  it("takes no name that is taken, not even a link's (A47)", async () => {
    using scratch = openScratch();
    using cursor = new Cursor();
    for (const name of scratch.workspace.split("/").slice(1)) cursor.enter(name);
    symlinkSync(join(scratch.outside, "new.txt"), join(scratch.workspace, "planted"));
    const draft = writeDraft(cursor, bytesOf("x"), { like: null }, "planted");
    await expect(draft).rejects.toMatchObject({ code: "EEXIST" });
    expect(readdirSync(scratch.outside)).toEqual(["secret.txt"]);
  });

  it("has a name that nobody can guess, and is gone when it is not published", async () => {
    using scratch = openScratch();
    using cursor = new Cursor();
    for (const name of scratch.workspace.split("/").slice(1)) cursor.enter(name);
    {
      using draft = await writeDraft(cursor, bytesOf("x"), { like: null });
      expect(readFileSync(draft.path, "utf8")).toBe("x");
      expect(scratch.names()).toEqual([expect.stringMatching(/^\.toolgate-[0-9a-f]{24}$/)]);
    }
    expect(scratch.names()).toEqual([]);
  });
});

describe("a draft that can't be finished", () => {
  it.each([
    ["writeFile", "ENOSPC", "IO_ERROR"],
    ["writeFile", "EDQUOT", "IO_ERROR"],
    ["chmod", "EPERM", "ACCESS_DENIED"],
    ["sync", "EIO", "IO_ERROR"],
  ] as const)("fails at %s with %s: the old file stays and nothing is left over", async (step, errno, code) => {
    using scratch = openScratch();
    scratch.put("a.txt", "old");
    const path = await scratch.checked("a.txt");
    const before = openDescriptors();
    failAt(step, errno);
    const result = await scratch.write(path, bytesOf("new"), digestOfText("old"));
    expect(result).toMatchObject({ ok: false, fault: { code, message: expect.stringContaining("`a.txt`") } });
    expect(scratch.text("a.txt")).toBe("old");
    expect(scratch.names()).toEqual(["a.txt"]);
    expect(openDescriptors()).toBe(before);
  });
});

describe("a directory that can't be made durable", () => {
  it("is a fault that tells that the content is in place", async () => {
    using scratch = openScratch();
    failAt("sync", "EIO", 2);
    const result = await scratch.write(await scratch.checked("a.txt"), bytesOf("new"), null);
    expect(result).toMatchObject({
      fault: { code: "IO_ERROR", message: "`a.txt` was written, but may be lost in a power cut" },
    });
    expect(scratch.text("a.txt")).toBe("new");
  });

  it("is fine where the file system has no such step", async () => {
    using scratch = openScratch();
    failAt("sync", "EINVAL", 2);
    unwrap(await scratch.write(await scratch.checked("a.txt"), bytesOf("new"), null));
  });
});
