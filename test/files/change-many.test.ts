import { chmodSync, chownSync, mkdirSync, rmSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { digestOfText } from "../../src/domain/digest.ts";
import type { FileChange } from "../../src/ports/files.ts";
import { bytesOf, codeOf, openDescriptors, openScratch, type Scratch, unwrap } from "./scratch.ts";

const change = async (
  scratch: Scratch,
  name: string,
  before: string | null,
  after: string | null,
  more: Partial<FileChange> = {},
): Promise<FileChange> => ({
  path: await scratch.checked(name),
  before: before === null ? null : digestOfText(before),
  content: after === null ? null : bytesOf(after),
  ...more,
});

const at = (scratch: Scratch, path: string) => join(scratch.workspace, path);
const modeOf = (path: string) => statSync(path).mode & 0o7777;

/** What happens to the second of three files between judging and changing, and the answer. */
const TROUBLES: [string, string, (scratch: Scratch) => void][] = [
  ["nothing", "ok", () => {}],
  ["somebody wrote to it", "CONFLICT", (s) => s.put("b.txt", "other")],
  ["it is gone", "CONFLICT", (s) => rmSync(at(s, "b.txt"))],
  [
    "it became a directory",
    "NOT_REGULAR_FILE",
    (s) => {
      rmSync(at(s, "b.txt"));
      mkdirSync(at(s, "b.txt"));
    },
  ],
  [
    "it became a link",
    "CONFLICT",
    (s) => {
      rmSync(at(s, "b.txt"));
      symlinkSync(join(s.outside, "secret.txt"), at(s, "b.txt"));
    },
  ],
];

describe("a change of several files", () => {
  it.each(TROUBLES)("%s: %s, for all of them", async (_, code, trouble) => {
    using scratch = openScratch();
    for (const name of ["a.txt", "b.txt", "c.txt"]) scratch.put(name, "old");
    const changes = [
      await change(scratch, "a.txt", "old", "new"),
      await change(scratch, "b.txt", "old", "new"),
      await change(scratch, "c.txt", "old", null),
    ];
    const descriptors = openDescriptors();
    trouble(scratch);
    const names = scratch.names();
    expect(codeOf(await scratch.files.change(changes))).toBe(code);
    expect(scratch.text("a.txt")).toBe(code === "ok" ? "new" : "old");
    expect(scratch.names()).toEqual(code === "ok" ? ["a.txt", "b.txt"] : names);
    expect(openDescriptors()).toBe(descriptors);
  });

  it("refuses to change one file twice, which is a mistake of ours", async () => {
    using scratch = openScratch();
    const twice = [await change(scratch, "a.txt", null, "1"), await change(scratch, "a.txt", null, "2")];
    await expect(scratch.files.change(twice)).rejects.toThrow(TypeError);
  });

  it("moves a file with its mode and owner", async () => {
    using scratch = openScratch();
    const old = scratch.put("old.sh", "x");
    chmodSync(old, 0o750);
    if (process.getuid?.() === 0) chownSync(old, 65534, 65534);
    const { uid } = statSync(old);
    const source = await scratch.checked("old.sh");
    unwrap(
      await scratch.files.change([
        await change(scratch, "old.sh", "x", null),
        await change(scratch, "new.sh", null, "y", { like: source, onlyNew: true }),
      ]),
    );
    expect(scratch.names()).toEqual(["new.sh"]);
    expect([modeOf(at(scratch, "new.sh")), statSync(at(scratch, "new.sh")).uid]).toEqual([0o750, uid]);
  });

  it.each([
    [0o644, true, 0o755],
    [0o600, true, 0o700],
    [0o640, true, 0o750],
    [0o755, false, 0o644],
    [0o700, false, 0o600],
  ])("turns mode %o into one that is executable: %s", async (mode, executable, expected) => {
    using scratch = openScratch();
    chmodSync(scratch.put("a.sh", "x"), mode);
    unwrap(await scratch.files.change([await change(scratch, "a.sh", "x", "x", { executable })]));
    expect(modeOf(at(scratch, "a.sh"))).toBe(expected);
  });
});

describe("a file that has to be new", () => {
  it("is created, and a file that is there stays", async () => {
    using scratch = openScratch();
    const changes = [await change(scratch, "a.txt", null, "new", { onlyNew: true })];
    expect(codeOf(await scratch.files.change(changes))).toBe("ok");
    const again = await scratch.files.change([await change(scratch, "a.txt", null, "newer", { onlyNew: true })]);
    expect(again).toMatchObject({ fault: { code: "FILE_EXISTS", message: "there is a file at `a.txt` already" } });
    expect(scratch.text("a.txt")).toBe("new");
  });

  it("lets one of many creators win", async () => {
    using scratch = openScratch();
    const changes = [await change(scratch, "a.txt", null, "new", { onlyNew: true })];
    const results = await Promise.all(Array.from({ length: 20 }, () => scratch.files.change(changes)));
    expect(results.map(codeOf).sort()).toEqual([...Array(19).fill("FILE_EXISTS"), "ok"]);
  });
});

describe("deleting", () => {
  it.each([
    ["a file", "a.txt", "old", "ok"],
    ["one that changed", "a.txt", "older", "CONFLICT"],
    ["one that was not there when it was judged", "a.txt", null, "CONFLICT"],
    ["one that is not there", "nosuch.txt", null, "FILE_NOT_FOUND"],
    ["one that is gone", "nosuch.txt", "old", "CONFLICT"],
    ["a directory", "dir", null, "NOT_REGULAR_FILE"],
  ])("%s", async (_, name, before, code) => {
    using scratch = openScratch();
    scratch.put("a.txt", "old");
    scratch.put("dir/b.txt", "old");
    expect(codeOf(await scratch.files.change([await change(scratch, name, before, null)]))).toBe(code);
    expect(scratch.names()).toEqual(code === "ok" ? ["dir"] : ["a.txt", "dir"]);
  });
});
