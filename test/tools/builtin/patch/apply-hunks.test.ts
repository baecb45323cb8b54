import { describe, expect, it } from "vitest";
import { applyHunks } from "../../../../src/tools/builtin/patch/apply-hunks.ts";
import { lineEndsOf } from "../../../../src/tools/builtin/patch/line-ends-of.ts";
import { parsePatch } from "../../../../src/tools/builtin/patch/parse-patch.ts";

/** The text after the patch, or the code and the message. */
function applied(text: string, patch: string): string {
  const parsed = parsePatch(patch);
  if (!parsed.ok) throw new Error(parsed.message);
  const [file] = parsed.files;
  const result = applyHunks(text, file?.kind === "update" ? file.hunks : [], lineEndsOf(parsed.files));
  return result.ok ? result.value : `${result.fault.code}: ${result.fault.message}`;
}

const unified = (...lines: string[]): string => ["--- x", "+++ x", ...lines, ""].join("\n");
const codex = (...lines: string[]): string =>
  ["*** Begin Patch", "*** Update File: x", ...lines, "*** End Patch", ""].join("\n");

const THREE = "1\n2\n3\n";
const TWICE = "a\nx\nb\nx\n";
const NOT_THERE = (line: number) =>
  `CONTENT_NOT_FOUND: the hunk on line ${line} of the patch does not fit: its old lines are not there`;

/** What another file is about tells whether the patch knows of CRs. */
const OTHER_CRLF = (...lines: string[]): string => `${unified(...lines)}--- y\n+++ y\n@@ -1 +1 @@\n-a\r\n+b\r\n`;
const NEW_CRLF = (...lines: string[]): string => `${unified(...lines)}--- /dev/null\n+++ y\n@@ -0,0 +1 @@\n+b\r\n`;

/** By line numbers. */
const BY_NUMBER: [string, string, string, string][] = [
  ["behind a byte order mark", "\ufeff1\n2\n", unified("@@ -1 +1 @@", "-1", "+one"), "\ufeffone\n2\n"],
  ["before all lines, and behind a byte order mark", "\ufeff1\n", unified("@@ -0,0 +1 @@", "+0"), "\ufeff0\n1\n"],
  ["behind a byte order mark and with CRLF", "\ufeff1\r\n", unified("@@ -1 +1 @@", "-1", "+2"), "\ufeff2\r\n"],
  ["taking a byte order mark away", "\ufeff1\n", unified("@@ -1 +1 @@", "-\ufeff1", "+1"), "1\n"],
  ["in its place", THREE, unified("@@ -2 +2 @@", "-2", "+two"), "1\ntwo\n3\n"],
  ["one line off", THREE, unified("@@ -1 +1 @@", "-2", "+two"), "1\ntwo\n3\n"],
  ["far behind the end", THREE, unified("@@ -99 +99 @@", "-2", "+two"), "1\ntwo\n3\n"],
  ["in its place, though it would fit elsewhere", TWICE, unified("@@ -4 +4 @@", "-x", "+y"), "a\nx\nb\ny\n"],
  [
    "off, and fitting in two places",
    TWICE,
    unified("@@ -1 +1 @@", "-x", "+y"),
    "MULTIPLE_MATCHES: the hunk on line 3 of the patch fits in several places, on the lines 2 and 4",
  ],
  ["off, with the context that tells", TWICE, unified("@@ -1,2 +1,2 @@", " b", "-x", "+y"), "a\nx\nb\ny\n"],
  ["nowhere", THREE, unified("@@ -2 +2 @@", "-two", "+2"), NOT_THERE(3)],
  ["with another space", "a b\n", unified("@@ -1 +1 @@", "-a  b", "+c"), NOT_THERE(3)],
  ["two hunks", THREE, unified("@@ -1 +1 @@", "-1", "+one", "@@ -3 +3 @@", "-3", "+three"), "one\n2\nthree\n"],
  ["two hunks in the wrong order", THREE, unified("@@ -3 +3 @@", "-3", "+c", "@@ -1 +1 @@", "-1", "+a"), NOT_THERE(6)],
  [
    "after a hunk that was off, numbers count no longer",
    `0\n${TWICE}`,
    unified("@@ -1 +1 @@", "-a", "+A", "@@ -5 +5 @@", "-x", "+y"),
    "MULTIPLE_MATCHES: the hunk on line 6 of the patch fits in several places, on the lines 3 and 5",
  ],
  ["added at the start", THREE, unified("@@ -0,0 +1 @@", "+0"), `0\n${THREE}`],
  ["added behind a line", THREE, unified("@@ -1,0 +2 @@", "+1.5"), "1\n1.5\n2\n3\n"],
  ["added at the end", THREE, unified("@@ -3,0 +4 @@", "+4"), `${THREE}4\n`],
  [
    "added behind the end",
    THREE,
    unified("@@ -4,0 +5 @@", "+5"),
    "CONTENT_NOT_FOUND: the hunk on line 3 of the patch has no old lines that would tell its place",
  ],
  ["everything removed", THREE, unified("@@ -1,3 +0,0 @@", "-1", "-2", "-3"), ""],
];

const NO_END = "\\ No newline at end of file";
const LINE_ENDS: [string, string, string, string][] = [
  ["the last line gets an end", "a\nb", unified("@@ -2 +2 @@", "-b", NO_END, "+b"), "a\nb\n"],
  ["the last line loses its end", "a\nb\n", unified("@@ -2 +2 @@", "-b", "+b", NO_END), "a\nb"],
  ["the last line has an end, not as said", "a\nb\n", unified("@@ -2 +2 @@", "-b", NO_END, "+c"), NOT_THERE(3)],
  ["the last line has none, not as said", "a\nb", unified("@@ -2 +2 @@", "-b", "+c"), NOT_THERE(3)],
  [
    "no end in the middle",
    THREE,
    unified("@@ -2 +2 @@", "-2", "+two", NO_END),
    "CONTENT_NOT_FOUND: the hunk on line 3 of the patch does not end where the file ends",
  ],
  [
    "glued to a line without an end",
    "a\nb",
    unified("@@ -2,0 +3 @@", "+c"),
    "CONTENT_NOT_FOUND: the hunk on line 3 of the patch would be glued to a line that has no end",
  ],
  ["CRLF in the file only", "1\r\n2\r\n", unified("@@ -2 +2,2 @@", "-2", "+two", "+three"), "1\r\ntwo\r\nthree\r\n"],
  ["CRLF in both", "1\r\n2\r\n", unified("@@ -2 +2 @@", "-2\r", "+two\r"), "1\r\ntwo\r\n"],
  ["CRLF away", "1\r\n2\r\n", unified("@@ -1,2 +1,2 @@", "-1\r", "-2\r", "+1", "+2"), "1\n2\n"],
  ["CRLF in the patch only", "1\n2\n", unified("@@ -2 +2 @@", "-2\r", "+two\r"), NOT_THERE(3)],
  ["CRLF in the file, and in another file of the patch", "1\r\n", OTHER_CRLF("@@ -0,0 +1 @@", "+0"), "0\n1\r\n"],
  ["CRLF in the file, and in a new file of the patch", "1\r\n", NEW_CRLF("@@ -0,0 +1 @@", "+0"), "0\n1\r\n"],
  ["both kinds in the file", "1\r\n2\n", unified("@@ -2 +2 @@", "-2", "+two"), "1\r\ntwo\n"],
  ["added to a file of CRLF", "1\r\n", unified("@@ -1,0 +2 @@", "+2"), "1\r\n2\r\n"],
];

const PYTHON = "class A:\n    def f():\n        return 1\n    def g():\n        return 1\n";

/** By anchors and context. */
const BY_ANCHORS: [string, string, string, string][] = [
  ["one place", THREE, codex(" 1", "-2", "+two"), "1\ntwo\n3\n"],
  [
    "two places",
    TWICE,
    codex("-x", "+y"),
    "MULTIPLE_MATCHES: the hunk on line 3 of the patch fits in several places, on the lines 2 and 4",
  ],
  ["one place behind the anchor", TWICE, codex("@@ b", "-x", "+y"), "a\nx\nb\ny\n"],
  [
    "an anchor without its spaces",
    PYTHON,
    codex("@@ def g():", "-        return 1", "+        return 2"),
    PYTHON.replace(/1\n$/, "2\n"),
  ],
  [
    "one anchor after the other",
    PYTHON,
    codex("@@ class A:", "@@ def g():", "-        return 1", "+        return 2"),
    PYTHON.replace(/1\n$/, "2\n"),
  ],
  [
    "two places behind the anchor",
    PYTHON,
    codex("@@ def f():", "-        return 1", "+        return 2"),
    "MULTIPLE_MATCHES: the hunk on line 3 of the patch fits in several places, on the lines 3 and 5",
  ],
  [
    "no such anchor",
    THREE,
    codex("@@ 9", "-2", "+two"),
    "CONTENT_NOT_FOUND: the hunk on line 3 of the patch names a line behind `@@` that is not there",
  ],
  ["behind an anchor that stands behind it", THREE, codex("@@ 3", "-2", "+two"), NOT_THERE(3)],
  ["context has to match to the space", "  a\n", codex("-a", "+b"), NOT_THERE(3)],
  ["one hunk after the other", TWICE, codex(" a", "-x", "+y", "@@", " b", "-x", "+z"), "a\ny\nb\nz\n"],
  ["the second of two, once the first is done", TWICE, codex(" a", "-x", "+y", "@@", "-x", "+z"), "a\ny\nb\nz\n"],
  ["at the end of the file", "x\ny\nx\n", codex("@@", "-x", "+z", "*** End of File"), "x\ny\nz\n"],
  [
    "not at the end of the file",
    "x\ny\n",
    codex("@@", "-x", "+z", "*** End of File"),
    "CONTENT_NOT_FOUND: the hunk on line 3 of the patch does not fit the end of the file",
  ],
  ["appended", THREE, codex("+4"), `${THREE}4\n`],
  ["a file without a last line end keeps that", "1\n2", codex("-2", "+two"), "1\ntwo"],
  ["appended to one", "1\n2", codex("+3"), "1\n2\n3"],
  ["all of one removed", "1", codex("-1"), ""],
  ["to an empty file", "", codex("+1"), "1\n"],
  ["CRLF in the file only", "1\r\n2\r\n3", codex(" 1", "-2", "+two"), "1\r\ntwo\r\n3"],
];

describe("applyHunks", () => {
  it.each(BY_NUMBER)("by number: %s", (_, text, patch, expected) => expect(applied(text, patch)).toBe(expected));
  it.each(LINE_ENDS)("line ends: %s", (_, text, patch, expected) => expect(applied(text, patch)).toBe(expected));
  it.each(BY_ANCHORS)("by anchors: %s", (_, text, patch, expected) => expect(applied(text, patch)).toBe(expected));

  it("gives up a search without end, and says so", () => {
    const text = "a\n".repeat(1_000_000);
    const body = [...Array(40).fill("-a"), "-b"];
    expect(applied(text, unified(`@@ -1,41 +0,0 @@`, ...body))).toBe(
      "FILE_TOO_LARGE: the hunk on line 3 of the patch was looked for in too many places",
    );
  });
});
