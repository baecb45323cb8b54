import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openPrograms } from "../../src/files/open-programs.ts";

describe("programs", () => {
  let root: string;
  const at = (...names: readonly string[]): string => join(root, ...names);
  const program = (path: string, mode = 0o755): void => writeFileSync(at(path), "#!/bin/sh\n", { mode });

  beforeEach(() => {
    root = realpathSync(mkdtempSync(join(tmpdir(), "toolgate-programs-")));
    for (const folder of ["usr", "usr/bin", "usr/lib", "ws", "ws/bin", "open", "extra"]) mkdirSync(at(folder));
    chmodSync(at("open"), 0o777);
    for (const path of ["usr/bin/npm", "usr/lib/tool.js", "ws/npm", "ws/bin/npm", "open/npm", "extra/deploy"])
      program(path);
    symlinkSync("../lib/tool.js", at("usr/bin/tool"));
    symlinkSync(at("ws/npm"), at("usr/bin/sly"));
    program("usr/bin/data", 0o644);
    mkdirSync(at("usr/bin/folder"));
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  const resolve = (word: string, searchPath = ["ws/bin", "open", "gone", "usr/bin"].map((name) => at(name))) =>
    openPrograms({ searchPath, toolchains: [at("extra")], writable: [at("ws")] }).resolve(word, at("ws"));

  it.each<[word: string, file: string | null, toolchain?: boolean]>([
    ["npm", "usr/bin/npm", true],
    ["./npm", "ws/npm", false],
    ["bin/npm", "ws/bin/npm", false],
    ["../usr/bin/npm", "usr/bin/npm", true],
    ["../open/npm", "open/npm", false],
    ["tool", "usr/lib/tool.js", true],
    ["sly", "ws/npm", false],
    ["deploy", "extra/deploy", true],
    ["data", null],
    ["folder", null],
    ["nowhere", null],
    ["", null],
    ["a\0b", null],
  ])("%j", async (word, file, toolchain) =>
    file === null
      ? expect(await resolve(word)).toBeNull()
      : expect(await resolve(word)).toMatchObject({ path: at(file), toolchain }),
  );

  it("are nowhere without a PATH", async () => {
    const programs = openPrograms({ searchPath: [], toolchains: [], writable: [] });
    expect(await programs.resolve("npm", root)).toBeNull();
    expect(await programs.resolve(at("usr/bin/npm"), root)).toMatchObject({
      path: at("usr/bin/npm"),
      toolchain: false,
    });
  });
});
