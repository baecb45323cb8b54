import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, chownSync, mkdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { digestOfText } from "../../src/domain/digest.ts";
import { testProgram } from "../support/test-program.ts";
import { bytesOf, openScratch, type Scratch, unwrap } from "./scratch.ts";

const PROGRAM = testProgram("uses-files.ts");
const NOBODY = 65534;
const isRoot = process.getuid?.() === 0;

/** Root passes every permission check, so root's tests run the program as nobody. */
const AS_SOMEBODY = isRoot ? { uid: NOBODY, gid: NOBODY } : {};
const canRun = spawnSync(process.execPath, [PROGRAM, "/", "locate", "/"], AS_SOMEBODY).stdout?.toString() === "ok";
const skipReason = canRun ? "" : " (skipped: nobody may not read this checkout)";

function outcome(scratch: Scratch, action: string, ...paths: string[]): string {
  const argv = [PROGRAM, scratch.workspace, action, ...paths];
  return execFileSync(process.execPath, argv, { ...AS_SOMEBODY, encoding: "utf8" });
}

/** A workspace of the user that the program runs as. */
function openOwned(): Scratch {
  const scratch = openScratch();
  if (isRoot) chownSync(scratch.workspace, NOBODY, NOBODY);
  return scratch;
}

function putOwned(scratch: Scratch, path: string, mode: number): void {
  const file = scratch.put(path, "old");
  if (isRoot) chownSync(file, NOBODY, NOBODY);
  chmodSync(file, mode);
}

describe.skipIf(!canRun)(`what the operating system denies${skipReason}`, () => {
  it.each([
    ["read", 0o400, "ok"],
    ["read", 0o200, "ACCESS_DENIED"],
    ["read", 0o000, "ACCESS_DENIED"],
    ["locate", 0o000, "ok"],
    ["write", 0o600, "ok"],
    ["write", 0o400, "ACCESS_DENIED"],
    ["write", 0o200, "ACCESS_DENIED"],
    ["delete", 0o600, "ok"],
    ["delete", 0o400, "ACCESS_DENIED"],
  ])("%s of one's own file with mode %o: %s", (action, mode, expected) => {
    using scratch = openOwned();
    putOwned(scratch, "a.txt", mode);
    expect(outcome(scratch, action, "a.txt")).toBe(expected);
    expect(scratch.names()).toEqual(action === "delete" && expected === "ok" ? [] : ["a.txt"]);
  });

  it.each([
    ["locate", "dir", 0o000, "ok"],
    ["locate", "dir/a.txt", 0o000, "ok"],
    ["read", "dir/a.txt", 0o000, "ACCESS_DENIED"],
    ["read", "dir/a.txt", 0o100, "ok"],
    ["write", "dir/a.txt", 0o700, "ok"],
    ["write", "dir/a.txt", 0o500, "ACCESS_DENIED"],
    ["write", "dir/new.txt", 0o700, "ok"],
    ["write", "dir/new.txt", 0o500, "ACCESS_DENIED"],
    ["delete", "dir/a.txt", 0o700, "ok"],
    ["delete", "dir/a.txt", 0o500, "ACCESS_DENIED"],
    ["list", "dir", 0o500, "ok"],
    ["list", "dir", 0o400, "ACCESS_DENIED"],
    ["list", "dir", 0o100, "ACCESS_DENIED"],
  ])("%s of %s in a directory with mode %o: %s", (action, path, mode, expected) => {
    using scratch = openOwned();
    const dir = join(scratch.workspace, "dir");
    mkdirSync(dir);
    putOwned(scratch, "dir/a.txt", 0o600);
    if (isRoot) chownSync(dir, NOBODY, NOBODY);
    chmodSync(dir, mode);
    expect(outcome(scratch, action, path)).toBe(expected);
    chmodSync(dir, 0o700);
  });
});

describe.skipIf(!canRun)(`a change of several files${skipReason}`, () => {
  it.each([
    [0o700, "ok"],
    [0o500, "ACCESS_DENIED"],
  ])("with one of them in a directory of mode %o: %s", (mode, expected) => {
    using scratch = openOwned();
    const dir = join(scratch.workspace, "dir");
    putOwned(scratch, "a.txt", 0o600);
    putOwned(scratch, "dir/b.txt", 0o600);
    if (isRoot) chownSync(dir, NOBODY, NOBODY);
    chmodSync(dir, mode);
    expect(outcome(scratch, "write-and-delete", "a.txt", "dir/b.txt")).toBe(expected);
    expect(scratch.text("a.txt")).toBe(expected === "ok" ? "\0\0\0" : "old");
    expect(scratch.names()).toEqual(["a.txt", "dir"]);
    chmodSync(dir, 0o700);
  });

  it.skipIf(!isRoot)("that fails at its last file puts the first one back", () => {
    using scratch = openOwned();
    putOwned(scratch, "a.txt", 0o600);
    // In a directory like /tmp a file that anybody may write is deleted by its owner only, which nothing tells before.
    chmodSync(scratch.put("shared/b.txt", "old"), 0o666);
    chmodSync(join(scratch.workspace, "shared"), 0o1777);
    expect(outcome(scratch, "write-and-delete", "a.txt", "shared/b.txt")).toBe("ACCESS_DENIED");
    expect([scratch.text("a.txt"), scratch.text("shared/b.txt")]).toEqual(["old", "old"]);
    expect(scratch.names()).toEqual(["a.txt", "shared"]);
  });
});

describe.skipIf(!isRoot)(`files of somebody else${isRoot ? "" : " (skipped: only root can make them)"}`, () => {
  it.skipIf(!canRun).each([
    [0o644, "ACCESS_DENIED"],
    [0o666, "ACCESS_DENIED"],
  ])("a file of root with mode %o is not replaced, since it would change hands", (mode, expected) => {
    using scratch = openOwned();
    chmodSync(scratch.put("a.txt", "old"), mode);
    expect(outcome(scratch, "write", "a.txt")).toBe(expected);
    expect(scratch.text("a.txt")).toBe("old");
    expect(scratch.names()).toEqual(["a.txt"]);
  });

  it("keep their owner when root replaces them", async () => {
    using scratch = openOwned();
    putOwned(scratch, "a.txt", 0o640);
    unwrap(await scratch.write(await scratch.checked("a.txt"), bytesOf("new"), digestOfText("old")));
    const { uid, gid, mode } = statSync(join(scratch.workspace, "a.txt"));
    expect([uid, gid, mode & 0o7777]).toEqual([NOBODY, NOBODY, 0o640]);
  });
});
