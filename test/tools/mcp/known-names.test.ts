import { describe, expect, it } from "vitest";
import { KnownNames } from "../../../src/tools/mcp/known-names.ts";

const LONG = "n".repeat(300);

describe("a name among others", () => {
  it.each<[string, readonly string[], readonly [boolean, boolean, boolean]]>([
    ["read_file", [], [false, false, false]],
    ["read_file", ["read_file"], [false, false, true]],
    ["read_file", ["read_file", "read_file"], [false, false, true]],
    ["read_fi1e", ["read_file"], [true, false, true]],
    ["read file", ["read_file"], [false, true, false]],
    ["read_file", ["read file", "read_file"], [false, true, true]],
    ["lesen", ["schreiben"], [false, false, false]],
    ["日本", ["中国"], [false, true, false]],
    // What nobody reads to its end is not told apart there.
    [`${LONG}a`, [`${LONG}b`], [true, true, true]],
    [`a${LONG}`, [`b${LONG}`], [false, false, false]],
  ])("%s beside %j", (name, others, [lookAlike, namesake, like]) => {
    const known = new KnownNames(others);
    expect([known.hasLookAlike(name), known.hasNamesake(name), known.hasLike(name)]).toEqual([
      lookAlike,
      namesake,
      like,
    ]);
  });
});
