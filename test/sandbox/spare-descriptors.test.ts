import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { descriptorsMax, spareDescriptors } from "../../src/sandbox/spare-descriptors.ts";
import { openDescriptors, openScratch } from "../files/scratch.ts";

it.each([
  ["Max open files            1024                 4096                 files\n", 1024],
  ["Max open files            unlimited            unlimited            files\n", Number.POSITIVE_INFINITY],
  ["Max processes             10                   10                   processes\n", 0],
])("%j", (text, expected) => {
  using scratch = openScratch();
  writeFileSync(join(scratch.workspace, "limits"), text);
  expect(descriptorsMax(join(scratch.workspace, "limits"))).toBe(expected);
});

it("nobody knows where nothing tells", () => expect(descriptorsMax("/nosuch")).toBe(0));

it("looks only near the last one, and leaves none open", () => {
  const before = openDescriptors();
  spareDescriptors(10, 1024);
  spareDescriptors(1000, 1024);
  expect(openDescriptors()).toBe(before);
});
