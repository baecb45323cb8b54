import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { findConfig } from "../../src/config/find-config.ts";
import { openScratch } from "./scratch.ts";

it("finds the nearest one, upward", () => {
  using scratch = openScratch();
  const outer = scratch.put("toolgate.yaml");
  const inner = scratch.put("a/b/toolgate.yaml");
  scratch.put("a/b/c/x");
  expect(findConfig(join(scratch.folder, "a", "b", "c"))).toBe(inner);
  expect(findConfig(join(scratch.folder, "a", "b"))).toBe(inner);
  expect(findConfig(join(scratch.folder, "a"))).toBe(outer);
});

it("takes neither a folder of that name nor a similar name", () => {
  using scratch = openScratch();
  mkdirSync(join(scratch.folder, "toolgate.yaml"));
  scratch.put("toolgate.yml");
  expect(findConfig(scratch.folder)).toBe(null);
});

it("takes one that can't be looked at, so that loading it says why", () => {
  using scratch = openScratch();
  scratch.put("toolgate.yaml");
  scratch.put("a/x");
  const loop = join(scratch.folder, "a", "toolgate.yaml");
  symlinkSync("toolgate.yaml", loop);
  expect(findConfig(join(scratch.folder, "a"))).toBe(loop);
});
