import { describe, expect, it } from "vitest";
import { isLong } from "../../src/domain/is-long.ts";

describe("isLong", () => {
  const half = "x".repeat(32 * 1024);
  it.each<[string, unknown, boolean]>([
    ["nothing", null, false],
    ["a number", 1, false],
    ["text of 64 KB", { path: half, content: [half] }, false],
    ["a character more", { path: half, content: [half, "x"] }, true],
    ["a thousand values", Array.from({ length: 999 }, () => 1), false],
    ["more of them", Array.from({ length: 1002 }, () => 1), true],
    ["more of them below each other", Array.from({ length: 200 }, () => [1, 2, 3, 4, 5]), true],
  ])("%s", (_, value, expected) => {
    expect(isLong(value)).toBe(expected);
  });
});
