import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { clientArgv } from "../../src/domain/client-argv.ts";
import type { JsonObject } from "../../src/domain/json.ts";

describe("clientArgv", () => {
  it.each<[string, readonly [string, ...string[]], readonly string[], JsonObject, readonly string[] | string]>([
    ["words stay", ["p", "-x", "a b"], ["", "", ""], {}, ["p", "-x", "a b"]],
    ["an input is one word", ["p", "{path}"], ["", "-"], { path: "a b; c" }, ["p", "a b; c"]],
    ["numbers and booleans are words", ["p", "{n}", "{b}"], ["", "-", "-"], { n: 1.5, b: true }, ["p", "1.5", "true"]],
    ["an empty one too", ["p", "{path}"], ["", "-"], { path: "" }, ["p", ""]],
    ["a part of a word is none", ["p", "--file={path}"], ["", ""], { path: "a" }, ["p", "--file={path}"]],
    ["no option", ["p", "{path}"], ["", "-"], { path: "-rf" }, "`path` would be taken for an option"],
    ["no option where nothing is said", ["p", "{path}"], [], { path: "-rf" }, "ARG_OPTION_INJECTION"],
    ["where all may begin a word", ["p", "--", "{path}"], ["", "", ""], { path: "-rf" }, ["p", "--", "-rf"]],
    [
      "a `--` alone opens nothing",
      ["p", "--", "{path}"],
      ["", "", "-"],
      { path: "-rf" },
      "would be taken for an option",
    ],
    ["an input `--` opens nothing", ["p", "{a}", "{b}"], ["", "-", "-"], { a: "--", b: "-x" }, "`a` would be taken"],
    ["any letter that is unfit", ["p", "{path}"], ["", "-!"], { path: "!" }, "`path` would be taken for an option"],
    ["and only at its head", ["p", "{path}"], ["", "-!"], { path: "a-!" }, ["p", "a-!"]],
    ["a negative number is an option", ["p", "{n}"], ["", "-"], { n: -1 }, "`n` would be taken for an option"],
    ["not there", ["p", "{path}"], ["", "-"], {}, "`path` can't be one word"],
    ["inherited", ["p", "{toString}"], ["", "-"], {}, "`toString` can't be one word"],
    ["a list", ["p", "{path}"], ["", "-"], { path: ["a"] }, "`path` can't be one word"],
    ["null", ["p", "{path}"], ["", "-"], { path: null }, "`path` can't be one word"],
    ["NUL", ["p", "{path}"], ["", "-"], { path: "a\0b" }, "`path` can't be one word"],
  ])("%s", (_, command, unfitHeads, input, expected) => {
    const made = clientArgv(command, unfitHeads, input);
    if (typeof expected === "string")
      expect(made).toMatchObject({ ok: false, message: expect.stringContaining(expected) });
    else expect(made).toEqual({ ok: true, argv: expected });
  });

  it("never makes more or fewer words, nor another program, whatever a value is", () => {
    fc.assert(
      fc.property(fc.string(), (path) => {
        const made = clientArgv(["p", "-a", "{path}", "z"], ["", "", "-", ""], { path });
        if (made.ok) expect(made.argv).toEqual(["p", "-a", path, "z"]);
        else expect(path.startsWith("-") || path.includes("\0")).toBe(true);
      }),
    );
  });
});
