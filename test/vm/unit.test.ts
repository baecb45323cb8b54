import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

it("the shipped unit delegates its subtree, and survives a program that is ended for its memory", () => {
  const unit = readFileSync(new URL("../../examples/systemd/toolgate.service", import.meta.url), "utf8");
  expect(unit).toMatch(/^Delegate=yes$/m);
  expect(unit).toMatch(/^OOMPolicy=continue$/m);
});
