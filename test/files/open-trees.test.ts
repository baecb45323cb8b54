import fs, { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openTrees } from "../../src/files/open-trees.ts";
import { openScratch } from "./scratch.ts";

const trees = openTrees();

function openFolder() {
  const scratch = openScratch();
  const folder = join(scratch.workspace, "folder");
  mkdirSync(folder);
  /** As a program does that runs beside. */
  const swap = () => {
    renameSync(folder, `${folder}-moved`);
    symlinkSync(scratch.outside, folder);
  };
  return Object.assign(scratch, { folder, path: join(folder, "secret.txt"), swap });
}

it("makes a file that is to be written, and takes it away if nobody did", () => {
  using scratch = openFolder();
  const made = trees.make(scratch.path, scratch.workspace);
  if (made === null) throw new Error("nothing was made");
  expect([trees.kindOf(scratch.path), trees.make(scratch.path, scratch.workspace)]).toEqual(["file", null]);
  trees.unmake(made);
  trees.unmake(made);
  expect(readdirSync(scratch.folder)).toEqual([]);
  const written = trees.make(scratch.path, scratch.workspace);
  if (written === null) throw new Error("nothing was made");
  writeFileSync(scratch.path, "x");
  trees.unmake(written);
  expect(existsSync(scratch.path)).toBe(true);
});

it("makes nothing where a link leads", () => {
  using scratch = openFolder();
  scratch.swap();
  expect(trees.make(join(scratch.folder, "new"), scratch.workspace)).toBeNull();
  expect(readdirSync(scratch.outside)).toEqual(["secret.txt"]);
});

/** A program that is quick: it gets its turn when the gate has looked whether the file is its own. */
function afterALook(program: () => void): Disposable {
  const real = fs.lstatSync;
  let isDue = true;
  const restore = () => {
    fs.lstatSync = real;
    syncBuiltinESMExports();
  };
  const looked = (...args: Parameters<typeof real>): unknown => {
    const stats = real(...args);
    if (isDue) program();
    isDue = false;
    return stats;
  };
  fs.lstatSync = looked as typeof real;
  syncBuiltinESMExports();
  return { [Symbol.dispose]: restore };
}

it("takes away nothing that a link leads to", () => {
  using scratch = openFolder();
  const made = trees.make(scratch.path, scratch.workspace);
  if (made === null) throw new Error("nothing was made");
  {
    using _program = afterALook(scratch.swap);
    trees.unmake(made);
  }
  expect(readFileSync(scratch.path, "utf8")).toContain("sentinel");
  expect(readdirSync(`${scratch.folder}-moved`)).toEqual([]);
});
