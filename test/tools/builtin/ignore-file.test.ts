import { describe, expect, it } from "vitest";
import { ignoreFileFrom, isIgnored } from "../../../src/tools/builtin/ignore-file.ts";
import { needs } from "../../support/parts.ts";
import { ignoresLikeGit } from "./ignore-like-git.ts";

describe("isIgnored", () => {
  const files = [
    ignoreFileFrom("*.log\r\nbuild/\n!keep.log\n# x\n", "/w"),
    ignoreFileFrom("!special.log\n/only-here", "/w/sub"),
  ];

  it.each([
    ["/w/a.log", "file", true],
    ["/w/a.txt", "file", false],
    ["/w/keep.log", "file", false],
    ["/w/build", "directory", true],
    ["/w/build", "file", false],
    ["/w/sub/a.log", "file", true],
    ["/w/sub/special.log", "file", false],
    ["/w/sub/only-here", "file", true],
    ["/w/sub/deep/only-here", "file", false],
  ])("%s (%s): %s", (path, kind, expected) => {
    const about = path.startsWith("/w/sub/") ? files : files.slice(0, 1);
    expect(isIgnored(about, path, kind)).toBe(expected);
  });

  it("reads a file at the root directory, and one with a byte order mark", () => {
    expect(isIgnored([ignoreFileFrom("\ufeffa", "/")], "/a", "file")).toBe(true);
  });
});

needs("git")("what a listing leaves out", () => {
  it("is what git leaves out, in 40 random trees", () => ignoresLikeGit(40));
});
