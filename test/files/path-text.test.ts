import { describe, expect, it } from "vitest";
import { pathTextFault } from "../../src/files/path-text.ts";

const REFUSED: [string, string][] = [
  ["empty", ""],
  ["NUL at the end", "a.txt\0"],
  ["NUL inside", "a\0.png"],
  ["high surrogate alone", "a\ud800"],
  ["low surrogate alone", "\udc00a"],
  ["4,097 bytes", "a".repeat(4097)],
  ["4,097 bytes in 4,096 characters", `${"a".repeat(4095)}é`],
];

const TAKEN: [string, string][] = [
  ["one character", "a"],
  ["4,096 bytes", "a".repeat(4096)],
  ["surrogate pair", "😀"],
  ["backslash", "a\\..\\b"],
  ["percent signs", "%2e%2e/%00"],
  ["line feed", "a\nb"],
  ["blank", " "],
];

describe("pathTextFault", () => {
  it.each(REFUSED)("refuses %s", (_, path) => {
    expect(pathTextFault(path)).toMatchObject({ fault: { code: "PATH_INVALID", hint: expect.any(String) } });
  });

  it.each(TAKEN)("takes %s", (_, path) => {
    expect(pathTextFault(path)).toBeUndefined();
  });
});
