import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findProgram } from "../../src/sandbox/find-program.ts";

const BASH = realpathSync("/bin/bash");
const isRoot = process.getuid?.() === 0;

/** A folder below one that only root may change, which only root can make. */
function rootFolder(): Disposable & { readonly path: string } {
  const path = mkdtempSync("/root/toolgate-programs-");
  chmodSync(path, 0o755);
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true }) };
}

function put(folder: string, name: string, mode = 0o755): string {
  const file = join(folder, name);
  writeFileSync(file, "#!/bin/sh\n");
  chmodSync(file, mode);
  return file;
}

describe("findProgram", () => {
  it("finds a program of the system, by its real path", () =>
    expect(findProgram("bash", { searchPath: ["/nosuch", "/usr/bin"], workspace: "/w" })).toEqual({
      kind: "found",
      path: BASH,
    }));

  it.each([
    ["no such program", "nosuch", ["/usr/bin"]],
    ["no folder", "bash", []],
    ["a relative folder", "bash", ["usr/bin", ".", ""]],
    ["a folder of that name", "bin", ["/usr"]],
  ])("finds nothing: %s", (_, name, searchPath) =>
    expect(findProgram(name, { searchPath, workspace: "/w" })).toEqual({ kind: "absent" }),
  );

  it("does not take what lies where everybody may write, and goes on looking", () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), "toolgate-programs-")));
    chmodSync(folder, 0o777);
    const planted = put(folder, "bash");
    try {
      const only = findProgram("bash", { searchPath: [folder], workspace: "/w" });
      expect(only).toEqual({ kind: "untrusted", path: planted });
      const both = findProgram("bash", { searchPath: [folder, "/usr/bin"], workspace: "/w" });
      expect(both).toEqual({ kind: "found", path: BASH });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it("does not take what lies in the workspace, nor what a folder of it leads to", () => {
    expect(findProgram("bash", { searchPath: ["/usr/bin"], workspace: "/usr" }).kind).toBe("untrusted");
    expect(findProgram("bash", { searchPath: ["/usr/bin"], workspace: "/usr/bi" }).kind).toBe("found");
  });

  it.skipIf(!isRoot)("looks at the file, and at each folder on the way", () => {
    using folder = rootFolder();
    const kindOf = () => findProgram("tool", { searchPath: [join(folder.path, "bin")], workspace: "/w" }).kind;
    mkdirSync(join(folder.path, "bin"));
    const tool = put(join(folder.path, "bin"), "tool");
    expect(kindOf()).toBe("found");
    for (const [path, mode] of [
      [tool, 0o755],
      [join(folder.path, "bin"), 0o755],
      [folder.path, 0o755],
    ] as const) {
      for (const wrong of [mode | 0o020, mode | 0o002]) {
        chmodSync(path, wrong);
        expect(kindOf()).toBe("untrusted");
      }
      chmodSync(path, mode);
      chownSync(path, 65534, 65534);
      expect(kindOf()).toBe("untrusted");
      chownSync(path, 0, 0);
    }
    chmodSync(tool, 0o644);
    expect(kindOf()).toBe("absent");
  });

  it.skipIf(!isRoot)("does not take a link in the workspace to a program of the system", () => {
    using folder = rootFolder();
    symlinkSync(BASH, join(folder.path, "tool"));
    const searchPath = [folder.path];
    expect(findProgram("tool", { searchPath, workspace: folder.path }).kind).toBe("untrusted");
    expect(findProgram("tool", { searchPath, workspace: "/w" }).kind).toBe("found");
  });
});
