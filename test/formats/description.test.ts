import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { describedIn } from "../../src/formats/description.ts";
import { tool } from "./some-tools.ts";

const DESTROYS = { effects: { destructive: true, reversible: false } } as const;

describe("a description", () => {
  it("ends in the suffix, however long it is", () => {
    void fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 300 }), (description) => {
        const text = describedIn(tool("t", { description, ...DESTROYS }), 128);
        expect(text.length).toBeLessThanOrEqual(128);
        expect(text).toMatch(/ \[⚠️ DESTRUCTIVE \| NOT REVERSIBLE\]$/);
        expect(text.isWellFormed()).toBe(true);
      }),
    );
  });

  it.each([
    ["a".repeat(10), "a".repeat(10)],
    ["a".repeat(11), `${"a".repeat(9)}…`],
    [`${"a".repeat(8)}😀b`, `${"a".repeat(8)}…`],
    ["\ud800", "\ufffd"],
    ["", "(no descr…"],
    [" \n", "(no descr…"],
  ])("%j in ten", (description, shown) => {
    expect(describedIn(tool("t", { description }), 10)).toBe(shown);
  });
});
