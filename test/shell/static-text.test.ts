import { parse } from "unbash";
import { describe, expect, it } from "vitest";
import { staticText } from "../../src/shell/static-text.ts";
import { Dice } from "./compositions.ts";

const PIECES = [
  "a",
  "B",
  "0",
  "_",
  "-",
  "/",
  ".",
  "=",
  ":",
  "'x y'",
  "''",
  '"x y"',
  '"\\""',
  '"\\$"',
  '"\\a"',
  "\\ ",
  "\\$",
  "\\\\",
  "\\\n",
  "é",
  "#",
  "!",
  "~",
  "]",
  "}",
  "^",
  "%",
  "{}",
  "\\*",
  "'*'",
  '"["',
  "\r",
  "\u00a0",
];

describe("the text of a word without expansions", () => {
  it("is what the parser makes of it", () => {
    const dice = new Dice(7);
    for (let i = 0; i < 20_000; i++) {
      const raw = Array.from({ length: 1 + dice.roll(6) }, () => dice.pick(PIECES)).join("");
      const [statement] = parse(`x ${raw}`).commands;
      const words = statement?.command.type === "Command" ? statement.command.suffix : [];
      const [word] = words;
      const text = staticText(raw);
      if (text === null || word?.type !== "Word" || words.length !== 1) continue;
      expect([raw, word.value]).toEqual([raw, text]);
    }
  });

  it.each<[raw: string, text: string | null]>([
    ["abc", "abc"],
    ["a'b c'd", "ab cd"],
    ['a"b\\"c"d', 'ab"cd'],
    ["a\\ b", "a b"],
    ["a\\\nb", "ab"],
    ["[", "["],
    ["{}", "{}"],
    ["{a", "{a"],
    ["HEAD~1", "HEAD~1"],
    ["'a=~'", "a=~"],
    ["~", null],
    ["~/x", null],
    ["a=~", null],
    ["a:~", null],
    ["a*", null],
    ["a?", null],
    ["[a]", null],
    ["{a,b}", null],
    ["{1..2}", null],
    ["$x", null],
    ['"$x"', null],
    ['"`x`"', null],
    ["`x`", null],
    ["<(x)", null],
    ["a\\", null],
    ["'a", null],
    ['"a', null],
    ["a\0", null],
    ['"a\0"', null],
    ["\\\0", null],
  ])("%j is %j", (raw, text) => expect(staticText(raw)).toBe(text));
});
