import { describe, expect, it } from "vitest";
import { LIMITS } from "../../../../src/domain/limits.ts";
import { parsePatch } from "../../../../src/tools/builtin/patch/parse-patch.ts";

const lines = (...all: string[]): string => `${all.join("\n")}\n`;

/** What a patch says about files, in short. */
function summary(patch: string): string {
  const parsed = parsePatch(patch);
  if (!parsed.ok) return parsed.message;
  return parsed.files
    .map((file) => {
      const mode = file.kind !== "delete" && file.executable !== undefined ? ` x:${file.executable}` : "";
      if (file.kind === "add") return `add ${file.path} ${JSON.stringify(file.content)}${mode}`;
      if (file.kind === "delete") return `delete ${file.path} ${file.hunks?.length ?? "whatever it holds"}`;
      return `update ${file.path}${file.moveTo === null ? "" : ` to ${file.moveTo}`} ${file.hunks.length}${mode}`;
    })
    .join("; ");
}

const HUNK = ["@@ -1 +1 @@", "-a", "+b"];

const UNIFIED: [string, string, string][] = [
  ["plain", lines("--- x", "+++ x", ...HUNK), "update x 1"],
  ["with prefixes", lines("--- a/x", "+++ b/x", ...HUNK), "update x 1"],
  ["with times", lines("--- x\t2026-01-01 00:00:00", "+++ x\t2026-01-02 00:00:00", ...HUNK), "update x 1"],
  ["in a folder called a", lines("--- a/x", "+++ a/x", ...HUNK), "update a/x 1"],
  ["with spaces", lines("--- a/x y", "+++ b/x y", ...HUNK), "update x y 1"],
  ["quoted", lines('--- "a/\\303\\251\\t"', '+++ "b/\\303\\251\\t"', ...HUNK), "update é\t 1"],
  ["several hunks", lines("--- x", "+++ x", ...HUNK, "@@ -5,0 +6 @@ def f():", "+c"), "update x 2"],
  ["several files", lines("--- x", "+++ x", ...HUNK, "--- y", "+++ y", ...HUNK), "update x 1; update y 1"],
  ["new", lines("--- /dev/null", "+++ b/x", "@@ -0,0 +1,2 @@", "+a", "+b"), 'add x "a\\nb\\n"'],
  [
    "without a line end",
    lines("--- /dev/null", "+++ b/x", "@@ -0,0 +1 @@", "+a", "\\ No newline at end of file"),
    'add x "a"',
  ],
  ["deleted", lines("--- a/x", "+++ /dev/null", "@@ -1 +0,0 @@", "-a"), "delete x 1"],
  ["headers of CRLF", "--- a/x\r\n+++ b/x\r\n@@ -1 +1 @@\r\n-a\r\n+b\r\n", "update x 1"],
  ["an empty line as context", lines("--- x", "+++ x", "@@ -1,2 +1,2 @@", "", "-a", "+b"), "update x 1"],
  ["no line end at its end", lines("--- x", "+++ x", ...HUNK).trimEnd(), "update x 1"],
  [
    "removed lines that look like names",
    lines("--- x", "+++ x", "@@ -1,2 +1 @@", "--- a", "-b", "+++ c"),
    "update x 1",
  ],
];

const INDEX = "index e69de29..257cc56 100644";
const GIT: [string, string, string][] = [
  ["changed", lines("diff --git a/x b/x", INDEX, "--- a/x", "+++ b/x", ...HUNK), "update x 1"],
  [
    "new",
    lines("diff --git a/x b/x", "new file mode 100644", "--- /dev/null", "+++ b/x", "@@ -0,0 +1 @@", "+a"),
    'add x "a\\n"',
  ],
  ["new and empty", lines("diff --git a/x y b/x y", "new file mode 100644", "index 0000000..e69de29"), 'add x y ""'],
  ["new, to be run", lines("diff --git a/x b/x", "new file mode 100755", "index 0000000..e69de29"), 'add x "" x:true'],
  ["deleted and empty", lines("diff --git a/x b/x", "deleted file mode 100644"), "delete x 0"],
  ["to be run", lines("diff --git a/x b/x", "old mode 100644", "new mode 100755"), "update x 0 x:true"],
  ["not to be run", lines("diff --git a/x b/x", "old mode 100755", "new mode 100644"), "update x 0 x:false"],
  ["moved", lines("diff --git a/x b/y", "similarity index 100%", "rename from x", "rename to y"), "update x to y 0"],
  [
    "moved and changed",
    lines("diff --git a/x b/y", "rename from x", "rename to y", "--- a/x", "+++ b/y", ...HUNK),
    "update x to y 1",
  ],
  ["moved, quoted", lines('diff --git "a/\\"" b/y', 'rename from "\\""', "rename to y"), 'update " to y 0'],
  ["without prefixes", lines("diff --git x x", INDEX, "--- x", "+++ x", ...HUNK), "update x 1"],
  [
    "a mail",
    lines(
      "From 0123",
      "Subject: x",
      "",
      "---",
      " x | 2 +-",
      "",
      "diff --git a/x b/x",
      "--- a/x",
      "+++ b/x",
      ...HUNK,
      "-- ",
      "2.50.0",
    ),
    "update x 1",
  ],
];

describe("a unified diff", () => {
  it.each(UNIFIED)("%s", (_, patch, expected) => expect(summary(patch)).toBe(expected));
  it.each(GIT)("of git: %s", (_, patch, expected) => expect(summary(patch)).toBe(expected));
});

const BAD_UNIFIED: [string, string, string][] = [
  ["nothing", "\n", "line 2 of the patch: the patch changes no file"],
  ["prose", "change x please\n", "line 2 of the patch: the patch changes no file"],
  ["a hunk alone", lines(...HUNK), "line 1 of the patch: a hunk before any file is named"],
  ["no hunk", lines("--- x", "+++ x"), "line 3 of the patch: nothing is changed (of the file that begins on line 1)"],
  [
    "a broken hunk",
    lines("--- x", "+++ x", "@@ -1 @@", "-a"),
    "line 3 of the patch: this is not the beginning of a hunk: `@@ -1,3 +1,4 @@` was expected",
  ],
  [
    "too few lines",
    lines("--- x", "+++ x", "@@ -1,2 +1 @@", "-a", "+b"),
    "line 6 of the patch: the patch ends in the middle of a hunk",
  ],
  [
    "too many lines",
    lines("--- x", "+++ x", ...HUNK, "-c"),
    "line 6 of the patch: the hunk's lines are not as many as its `@@` line says",
  ],
  [
    "more new lines",
    lines("--- x", "+++ x", "@@ -1,2 +1 @@", "+b", "+c", "-a"),
    "line 6 of the patch: the hunk's lines are not as many as its `@@` line says",
  ],
  [
    "no mark",
    lines("--- x", "+++ x", "@@ -1,2 +1,2 @@", "-a", "+b", "c"),
    "line 6 of the patch: a line of a hunk has to begin with a space, `-` or `+`",
  ],
  [
    "prose behind",
    lines("--- x", "+++ x", ...HUNK, "that is all"),
    "line 6 of the patch: `that is all` is no line of a patch",
  ],
  [
    "two files",
    lines("--- x", "+++ y", ...HUNK),
    "line 3 of the patch: `x` and `y` are two files; a move needs `rename from` and `rename to`",
  ],
  [
    "no files",
    lines("--- /dev/null", "+++ /dev/null", ...HUNK),
    "line 6 of the patch: both names are `/dev/null` (of the file that begins on line 1)",
  ],
  [
    "new with old lines",
    lines("--- /dev/null", "+++ b/x", ...HUNK),
    "line 6 of the patch: a new file has one hunk, of added lines only (of the file that begins on line 1)",
  ],
  [
    "binary",
    lines("diff --git a/x b/x", "Binary files a/x and b/x differ"),
    "line 2 of the patch: binary files can't be patched",
  ],
  [
    "binary data",
    lines("diff --git a/x b/x", INDEX, "GIT binary patch"),
    "line 3 of the patch: binary files can't be patched",
  ],
  [
    "a link",
    lines("diff --git a/x b/x", "new file mode 120000"),
    "line 2 of the patch: files of mode `120000` can't be patched (100644 and 100755 can)",
  ],
  ["a copy", lines("diff --git a/x b/y", "copy from x", "copy to y"), "line 2 of the patch: copies are not supported"],
  [
    "half a move",
    lines("diff --git a/x b/y", "rename from x"),
    "line 3 of the patch: `rename from` and `rename to` belong together",
  ],
  [
    "two moves",
    lines("diff --git a/x b/y", "rename from x", "rename to y", "--- a/x", "+++ b/z", ...HUNK),
    "line 6 of the patch: `rename from` and `rename to` name other files than `---` and `+++`",
  ],
  [
    "new that was there",
    lines("diff --git a/x b/x", "new file mode 100644", "--- a/x", "+++ b/x", ...HUNK),
    "line 5 of the patch: `new file mode` of a file that was there before",
  ],
  [
    "deleted that stays",
    lines("diff --git a/x b/x", "deleted file mode 100644", "--- a/x", "+++ b/x", ...HUNK),
    "line 5 of the patch: `deleted file mode` of a file that stays",
  ],
  [
    "names that can't be told apart",
    lines("diff --git a/x b/y", "old mode 100644", "new mode 100755"),
    "line 4 of the patch: the file's name can't be read",
  ],
  ["a bad quote", lines('--- "a/\\9"', "+++ b/x", ...HUNK), 'line 1 of the patch: `"a/\\9"` is no path'],
  ["bytes that are no text", lines('--- "a/\\377"', "+++ b/x", ...HUNK), 'line 1 of the patch: `"a/\\377"` is no path'],
  [
    "a line behind the end",
    lines("--- x", "+++ x", "@@ -1,2 +1 @@", "-a", "\\ No newline at end of file", "-b", "+c"),
    "line 6 of the patch: a line behind `\\ No newline at end of file`",
  ],
];

describe("a unified diff that can't be read", () => {
  it.each(BAD_UNIFIED)("%s", (_, patch, message) => expect(summary(patch)).toBe(message));
});

const codex = (...all: string[]): string => lines("*** Begin Patch", ...all, "*** End Patch");

const CODEX: [string, string, string][] = [
  ["new", codex("*** Add File: x", "+a", "+", "+b"), 'add x "a\\n\\nb\\n"'],
  ["new and empty", codex("*** Add File: x"), 'add x ""'],
  ["deleted", codex("*** Delete File: x"), "delete x whatever it holds"],
  ["changed", codex("*** Update File: x y", "@@", " a", "-b", "+c"), "update x y 1"],
  ["without @@", codex("*** Update File: x", " a", "-b", "+c", "@@ def f():", "-d"), "update x 2"],
  ["with several anchors", codex("*** Update File: x", "@@ class A", "@@ def f():", " a", "+b"), "update x 1"],
  ["moved", codex("*** Update File: x", "*** Move to: y"), "update x to y 0"],
  ["moved and changed", codex("*** Update File: x", "*** Move to: y", "@@", "-a"), "update x to y 1"],
  ["at the end", codex("*** Update File: x", "@@", " a", "+b", "*** End of File"), "update x 1"],
  [
    "several",
    codex("*** Add File: x", "+a", "*** Delete File: y", "", "*** Update File: z", "-a"),
    'add x "a\\n"; delete y whatever it holds; update z 1',
  ],
  ["with CRLF", codex("*** Update File: x", "@@", "-a", "+b").replaceAll("\n", "\r\n"), "update x 1"],
  ["with empty lines around", `\n${codex("*** Delete File: x")}\n\n`, "delete x whatever it holds"],
];

const BAD_CODEX: [string, string, string][] = [
  ["empty", codex(), "line 3 of the patch: the patch changes no file"],
  ["no end", lines("*** Begin Patch", "*** Delete File: x"), "line 3 of the patch: `*** End Patch` is missing"],
  [
    "more behind the end",
    `${codex("*** Delete File: x")}x\n`,
    "line 4 of the patch: nothing may follow `*** End Patch`",
  ],
  [
    "no such word",
    codex("*** Rename File: x"),
    "line 2 of the patch: `*** Rename File: x` is no line of a patch; `*** Add File:`, `*** Update File:` or `*** Delete File:` was expected",
  ],
  ["no path", codex("*** Add File:  ", "+a"), "line 2 of the patch: the path is missing"],
  ["no plus", codex("*** Add File: x", "a"), "line 3 of the patch: each line of a new file has to begin with `+`"],
  [
    "nothing to change",
    codex("*** Update File: x"),
    "line 3 of the patch: nothing is said about what to change in `x`",
  ],
  ["no lines", codex("*** Update File: x", "@@ a"), "line 4 of the patch: a hunk without lines"],
  [
    "no mark",
    codex("*** Update File: x", "a"),
    "line 3 of the patch: a line of a hunk has to begin with a space, `-` or `+`",
  ],
  [
    "numbers",
    codex("*** Update File: x", "@@ -1,2 +1,2 @@", "-a"),
    "line 3 of the patch: behind `@@` stands a line of the file, not line numbers",
  ],
  [
    "added where?",
    codex("*** Update File: x", "@@ a", "+b"),
    "line 5 of the patch: a hunk behind `@@` that only adds lines needs a line of context, to say where",
  ],
];

describe("a patch of the Codex grammar", () => {
  it.each(CODEX)("%s", (_, patch, expected) => expect(summary(patch)).toBe(expected));
  it.each(BAD_CODEX)("that can't be read: %s", (_, patch, message) => expect(summary(patch)).toBe(message));

  it.each([
    [LIMITS.patchFiles.maximum, true],
    [LIMITS.patchFiles.maximum + 1, false],
  ])("of %d files: %s", (count, ok) => {
    const patch = codex(...Array.from({ length: count }, (_, i) => `*** Delete File: ${i}`));
    expect(parsePatch(patch).ok).toBe(ok);
  });
});
