import { expect, it } from "vitest";
import { diffLineKinds } from "../../src/domain/diff-lines.ts";

const kinds = (text: string) =>
  diffLineKinds(text.split("\n"))
    .map((kind) => kind[0])
    .join("");

it.each([
  ["names of files are no changes", "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n a\n-b\n+c", "pppsra"],
  ["a removed line may begin with dashes", "--- a/x\n+++ b/x\n@@ -1,2 +1 @@\n a\n--- b", "pppsr"],
  ["an added line may begin with pluses", "--- a/x\n+++ b/x\n@@ -0,0 +1,2 @@\n+++ b/x\n+a", "pppaa"],
  ["a second file follows", "@@ -1 +1 @@\n-a\n+b\n--- a/y\n+++ b/y\n@@ -1 +0,0 @@\n-c", "prapppr"],
  ["a line without an end is noted", "@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b", "prsa"],
  ["a changed line may look like a hunk", "@@ -1,2 +1,2 @@\n-@@ -1 +1 @@\n a\n+b", "prsa"],
  ["a text without numbers goes by its first characters", "+a\n-b\n@@\n c", "arps"],
])("%s", (_, text, expected) => {
  expect(kinds(text)).toBe(expected);
});
