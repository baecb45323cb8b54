import { describe, expect, it } from "vitest";
import type { Touch, Word } from "../../src/domain/touch.ts";
import { cutLine, touchesInLine, touchInWords } from "../../src/domain/touch-in-words.ts";

const known = (text: string, hazard?: string): Word => ({ text, known: true, ...(hazard && { hazard }) });
const exec = (...argv: Word[]): Touch => ({ kind: "exec", program: null, origin: "toolchain", argv });
const write = (path: string): Touch => ({ kind: "write", path });

describe("a touch in words", () => {
  it.each([
    ["a run of spaces", "/w/a  b.txt", "write `a\\u{20}\\u{20}b.txt`"],
    ["a space at the end", "/w/a.txt ", "write `a.txt\\u{20}`"],
    ["a wide space", "/w/a\u2003b", "write `a\\u{2003}b`"],
    ["a space that does not break", "/w/a\u00a0b", "write `a\\u{a0}b`"],
    ["one space", "/w/a b", "write `a b`"],
  ])("writes out %s of a path", (_, path, words) => {
    expect(touchInWords(write(path), "/w")).toBe(words);
  });

  it("writes out spaces that hide in a word of a command, and leaves the indentation of code", () => {
    expect(touchInWords(exec(known("rm"), known("a  b"), known("c\u00a0d")), "/w")).toBe(
      "exec `rm 'a\\u{20}\\u{20}b' 'c\\u{a0}d'`",
    );
    expect(touchInWords(exec(known("python3"), known("-c"), known("if 1:\n  x()")), "/w")).toBe(
      "exec `python3 -c 'if 1:\\u{a}  x()'`",
    );
  });

  it("names the hazardous word of a long command before the command, with its place", () => {
    const many = Array.from({ length: 900 }, (_, at) => known(`f${at}`));
    const words = touchInWords(exec(known("tar"), ...many, known("--to-command=x", "runs a program")), "/w");
    expect(words.slice(0, 80)).toMatch(/^exec, where `--to-command=x` \(word 902 of 902\) runs a program: `tar f0 f1/);
    expect(touchInWords(exec(known("tar"), known("--to-command=x", "runs a program")), "/w")).toBe(
      "exec `tar --to-command=x`; `--to-command=x` runs a program",
    );
  });
});

describe("touches in one line", () => {
  it("are bounded, however many and however long they are, and count what is left out", () => {
    const many = Array.from({ length: 10_000 }, (_, at) => write(`/w/${"d/".repeat(100)}${at}`));
    expect(touchesInLine(many, "/w").length).toBeLessThan(2600);
    expect(touchesInLine(many, "/w")).toMatch(/; and 99\d\d more$/);
    const long = [write(`/w/${"\u007f".repeat(4000)}`)];
    expect(touchesInLine(long, "/w").length).toBeLessThan(600);
    expect(touchesInLine([write("/w/a"), write("/w/b")], "/w")).toBe("write `a`; write `b`");
  });

  it("close a quotation that is cut", () => {
    expect(cutLine("write `abcdef`", 9)).toBe("write `ab` … (5 more characters)");
    expect(cutLine("ab👍cd", 3)).toBe("ab … (4 more characters)");
    expect(cutLine("abc", 3)).toBe("abc");
  });
});
