import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { quoted, visibleJson, visibleLine, visibleName, visibleText } from "../../src/domain/visible.ts";
import { withCorpus } from "../support/parts.ts";

describe("what acts on a terminal or hides is shown", () => {
  it.each([
    ["a command to the terminal", "\u001b[2J", "\\u{1b}[2J"],
    ["a command in one character", "\u009b2J", "\\u{9b}2J"],
    ["a turned direction", "a\u202eb", "a\\u{202e}b"],
    ["an isolate", "a\u2066b", "a\\u{2066}b"],
    ["nothing at all to see", "a\u200bb\ufeff\u00ad", "a\\u{200b}b\\u{feff}\\u{ad}"],
    ["a filler", "\u3164", "\\u{3164}"],
    ["tags", "\u{e0041}", "\\u{e0041}"],
    ["hidden bytes in variation selectors", "x\u{e0100}", "x\\u{e0100}"],
    ["a line separator", "a\u2028b", "a\\u{2028}b"],
    ["half a character", "a\ud800b", "a\\u{d800}b"],
    ["a line end", "a\nb\tc", "a\\u{a}b\\u{9}c"],
    ["a tower of marks", `o${"\u0301".repeat(6)}k`, `o${"\u0301".repeat(4)}\\u{301}\\u{301}k`],
    ["marks as scripts have them", "e\u0323\u0302\u0301\u0308 กี่", "e\u0323\u0302\u0301\u0308 กี่"],
    ["a space that does not break", "a\u00a0b", "a\\u{a0}b"],
    ["a wide space", "a\u2003b", "a\\u{2003}b"],
    ["an ideographic space", "a\u3000b", "a\\u{3000}b"],
    ["spaces of all widths", "\u1680\u2009\u202f\u205f", "\\u{1680}\\u{2009}\\u{202f}\\u{205f}"],
    ["letters that are drawn as nothing", "\u2800\u{13441}\u{1d159}", "\\u{2800}\\u{13441}\\u{1d159}"],
    ["a space", "a b  c", "a b  c"],
    ["ordinary text of any script", "é 漢 ש 👍", "é 漢 ש 👍"],
  ])("%s", (_, text, shown) => {
    expect(visibleLine(text)).toBe(shown);
  });

  it("keeps line ends and tabs where several lines are meant", () => {
    expect(visibleText("a\n\tb\r\u001b")).toBe("a\n\tb\\u{d}\\u{1b}");
  });

  it("keeps the spaces of prose where running text is meant, and no other", () => {
    expect(visibleText("oui\u00a0! \u3000字\u202f;\u2003\u2800")).toBe("oui\u00a0! \u3000字\u202f;\\u{2003}\\u{2800}");
  });
});

describe("visibleName", () => {
  it.each([
    ["a b", "a b"],
    ["a  b", "a\\u{20}\\u{20}b"],
    [" a", "\\u{20}a"],
    ["a ", "a\\u{20}"],
    [`a${" ".repeat(3)}/ b`, "a\\u{20}\\u{20}\\u{20}/ b"],
    ["   ", "\\u{20}\\u{20}\\u{20}"],
    ["a\u00a0 b", "a\\u{a0} b"],
    ["a\nb", "a\\u{a}b"],
  ])("%j is %s", (text, shown) => {
    expect(visibleName(text)).toBe(shown);
  });
});

describe("visibleJson", () => {
  it("is the same value, without a character that acts", () => {
    void fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = visibleJson(value);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
        expect(visibleLine(text)).toBe(text);
      }),
    );
  });
});

describe("quoted", () => {
  it.each([
    ["short", {}, "`short`"],
    ["a`b", {}, "`a\\u{60}b`"],
    ["abcdef", { max: 3 }, "`abc…`"],
    ["abcdef", { max: 6 }, "`abcdef`"],
    ["abcdef", { max: 3, keep: "end" as const }, "`…def`"],
  ])("%j with %j is %s", (text, options, expected) => {
    expect(quoted(text, options)).toBe(expected);
  });
});

withCorpus<{ text: string }>("blns.jsonl")("awkward strings", (rows) => {
  it("come back from JSON, and stay on one line", () => {
    for (const { text } of rows) {
      expect(JSON.parse(visibleJson({ text }))).toEqual({ text });
      expect(visibleLine(text)).not.toMatch(/[\p{Cc}\u202e]/u);
    }
  });
});
