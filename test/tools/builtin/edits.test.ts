import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { applyEdits, type Edit } from "../../../src/tools/builtin/edits.ts";

const replace = (oldText: string, newText: string): Edit => ({ type: "replace", oldText, newText });
const insert = (line: number, newText: string): Edit => ({ type: "insert", line, newText });

/** A text, edits, and the text or the code that comes out. */
const CASES: [string, Edit[], string][] = [
  ["abc", [replace("b", "x")], "axc"],
  ["abc", [replace("abc", "")], ""],
  ["abc", [replace("b", "b")], "abc"],
  ["abc", [replace("x", "y")], "CONTENT_NOT_FOUND"],
  ["abc", [replace("B", "y")], "CONTENT_NOT_FOUND"],
  ["", [replace("x", "y")], "CONTENT_NOT_FOUND"],
  ["aba", [replace("a", "x")], "MULTIPLE_MATCHES"],
  ["aaa", [replace("aa", "x")], "MULTIPLE_MATCHES"],
  ["aa", [replace("aa", "x")], "x"],
  ["$1 x", [replace("x", "$& $1 $`")], "$1 $& $1 $`"],
  // one after the other, on what the ones before have left
  ["a", [replace("a", "b"), replace("b", "c")], "c"],
  ["a b", [replace("a", "b"), replace("b", "c")], "MULTIPLE_MATCHES"],
  ["a b", [replace("a", "c"), replace("a", "d")], "CONTENT_NOT_FOUND"],
  // lines
  ["1\n2\n", [insert(0, "x\n")], "x\n1\n2\n"],
  ["1\n2\n", [insert(1, "x\n")], "1\nx\n2\n"],
  ["1\n2\n", [insert(2, "x\n")], "1\n2\nx\n"],
  ["1\n2\n", [insert(3, "x\n")], "INVALID_OFFSET"],
  ["1\n2\n", [insert(1, "x")], "1\nx\n2\n"],
  ["1\n2\n", [insert(2, "x")], "1\n2\nx"],
  ["1\n2", [insert(2, "x")], "1\n2\nx"],
  ["1\n2", [insert(2, "x\n")], "1\n2\nx\n"],
  ["", [insert(0, "x")], "x"],
  ["", [insert(1, "x")], "INVALID_OFFSET"],
  // line ends
  ["1\r\n2\r\n", [replace("1\n2", "a\nb")], "a\r\nb\r\n"],
  ["1\r\n2\r\n", [replace("1\r\n2", "a\r\nb")], "a\r\nb\r\n"],
  ["1\r\n2\r\n", [replace("2", "a\nb")], "1\r\na\r\nb\r\n"],
  ["1\r\n2\r\n", [insert(1, "x\ny")], "1\r\nx\r\ny\r\n2\r\n"],
  ["1\r\n2", [insert(2, "x")], "1\r\n2\r\nx"],
  ["1\r\n2\n", [replace("1\n2", "x")], "CONTENT_NOT_FOUND"],
  ["1\r\n2\n", [replace("1\r\n2", "x\ny")], "x\ny\n"],
  ["1\n2\n", [replace("1\r\n2", "x")], "CONTENT_NOT_FOUND"],
  ["1\r2", [replace("\r", "\n")], "1\n2"],
  // a byte order mark stays where the file begins
  ["\ufeff1\n", [insert(0, "x")], "\ufeffx\n1\n"],
  ["\ufeff1\r\n", [insert(0, "x\n"), insert(1, "y")], "\ufeffx\r\ny\r\n1\r\n"],
  ["\ufeff", [insert(0, "x")], "\ufeffx"],
  ["\ufeff1", [insert(1, "x")], "\ufeff1\nx"],
  ["\ufeff1\n", [replace("1", "x")], "\ufeffx\n"],
];

describe("applyEdits", () => {
  it.each(CASES)("%j with %j: %j", async (text, edits, expected) => {
    const result = await applyEdits(text, edits);
    expect(result.ok ? result.value : result.fault.code).toBe(expected);
  });

  it.each([
    [[replace("x", "y")], "`edits[0].oldText` is not in the file"],
    [[replace("c", "d"), replace("a\n", "y")], "`edits[1].oldText` is in the file 2 times, on the lines 1, 2"],
    [[insert(9, "x")], "`edits[0].line` is 9, and the file has 3 lines"],
  ])("names the edit in %j", async (edits, message) => {
    expect(await applyEdits("a\na\nc", edits)).toMatchObject({ fault: { message } });
  });

  it("counts no further than to five", async () => {
    expect(await applyEdits("a\n".repeat(9), [replace("a", "b")])).toMatchObject({
      fault: { message: "`edits[0].oldText` is in the file 5 times or more, on the lines 1, 2, 3, 4, 5" },
    });
  });

  it("looks for a long text that is almost the file's own all over", async () => {
    const half = "ab".repeat(60_000);
    const edits = [replace(`${half}b${half}`, "x")];
    expect(await applyEdits("ab".repeat(250_000), edits)).toMatchObject({ fault: { code: "CONTENT_NOT_FOUND" } });
  });

  it("is undone by the edits turned round, in random texts of any line ends", async () => {
    const piece = fc.string({ unit: fc.constantFrom("a", "b", "\n", "\r\n", "\u{1f600}"), maxLength: 8 });
    let undone = 0;
    await fc.assert(
      fc.asyncProperty(piece, piece, piece, piece, async (before, oldText, newText, after) => {
        const text = before + oldText + after;
        const there = oldText === "" ? null : await applyEdits(text, [replace(oldText, newText)]);
        if (!there?.ok || newText === "") return;
        const back = await applyEdits(there.value, [replace(newText, oldText)]);
        if (!back.ok) return void expect(["CONTENT_NOT_FOUND", "MULTIPLE_MATCHES"]).toContain(back.fault.code);
        // Replaced the other way round, a text of both line ends may have become one of a single kind.
        expect(back.value.replaceAll("\r\n", "\n")).toBe(text.replaceAll("\r\n", "\n"));
        if (!(text + newText).includes("\r")) expect(back.value).toBe(text);
        undone += 1;
      }),
      { numRuns: 2000 },
    );
    expect(undone).toBeGreaterThan(100);
  });
});
