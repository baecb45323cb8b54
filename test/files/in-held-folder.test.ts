import { mkdirSync, readdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { inHeldFolder } from "../../src/files/in-held-folder.ts";
import { openScratch } from "./scratch.ts";

it("goes where the names lead, and not where a link on the way does", () => {
  using scratch = openScratch();
  scratch.put("folder/inner/x");
  symlinkSync("folder", join(scratch.workspace, "link"));
  const isReached = (path: string) => inHeldFolder(join(scratch.workspace, path), () => true);
  expect(["folder/inner/x", "folder/new", "folder", "link"].map(isReached)).toEqual([true, true, true, true]);
  expect(["link/x", "link/inner/x", "nosuch/x", "folder/inner/x/y"].map(isReached)).toEqual([null, null, null, null]);
  expect(inHeldFolder("/x", ({ path }) => path)).toBe("/x");
});

it("stays in the folder, whatever comes to be in its place", () => {
  using scratch = openScratch();
  const folder = join(scratch.workspace, "folder");
  mkdirSync(folder);
  inHeldFolder(join(folder, "x"), (spot) => {
    renameSync(folder, `${folder}-moved`);
    symlinkSync(scratch.outside, folder);
    writeFileSync(spot.at, "x");
  });
  expect([readdirSync(`${folder}-moved`).sort(), readdirSync(scratch.outside)]).toEqual([["x"], ["secret.txt"]]);
});
