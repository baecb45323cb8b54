import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { VERSION } from "../../src/wiring/version.ts";

it("the version is the package's", () => {
  const path = new URL("../../package.json", import.meta.url);
  expect(VERSION).toBe(JSON.parse(readFileSync(path, "utf8")).version);
});
