import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { nearest } from "../../src/domain/nearest.ts";

const TOOLS = ["read_file", "write_file", "edit_file", "delete_file", "run_command", "git"];

describe("nearest", () => {
  it.each([
    ["a letter too few", "read_fil", "read_file"],
    ["a letter too many", "gitt", "git"],
    ["two letters swapped", "raed_file", "read_file"],
    ["another case", "Read_File", "read_file"],
    ["a hyphen", "run-command", "run_command"],
    ["a full-width look-alike", "ｇｉｔ", "git"],
    ["the word itself", "git", "git"],
  ])("finds what was meant in spite of %s", (_, word, meant) => {
    expect(nearest(word, TOOLS)[0]).toBe(meant);
  });

  it("names nothing where nothing is near", () => {
    expect(nearest("make_coffee", TOOLS)).toEqual([]);
    expect(nearest("read_file", [])).toEqual([]);
  });

  it("draws the line at two letters, or a third of a longer name", () => {
    expect(nearest("gxx", ["git"])).toEqual(["git"]);
    expect(nearest("xxx", ["git"])).toEqual([]);
    expect(nearest("xxxd_file", ["read_file"])).toEqual(["read_file"]);
    expect(nearest("xxxx_file", ["read_file"])).toEqual([]);
  });

  it("puts the nearest first, then goes by the alphabet, and stops at three or at what is asked for", () => {
    expect(nearest("aab", ["aaa", "aabb", "aab", "bbb"])).toEqual(["aab", "aaa", "aabb"]);
    expect(nearest("tool", ["tool_c", "tool_a", "tool_b", "tool_d"])).toEqual(["tool_a", "tool_b", "tool_c"]);
    expect(nearest("tool", ["tool_c", "tool_a"], 1)).toEqual(["tool_a"]);
  });

  it("finds every name by itself, first", () => {
    void fc.assert(
      fc.property(fc.uniqueArray(fc.stringMatching(/^[a-z_]{1,20}$/), { minLength: 1 }), (names) => {
        for (const name of names) expect(nearest(name, names)[0]).toBe(name);
      }),
    );
  });

  it("is not held up by a long word", () => {
    expect(nearest("x".repeat(1_000_000), TOOLS)).toEqual([]);
  });
});
