import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { applyHunks } from "../../../src/tools/builtin/patch/apply-hunks.ts";
import { parsePatch } from "../../../src/tools/builtin/patch/parse-patch.ts";
import { unifiedDiff } from "../../../src/tools/builtin/unified-diff.ts";

vi.mock("diff", async (real) => {
  const diff = await real<typeof import("diff")>();
  return { ...diff, structuredPatch: (...given: Parameters<typeof diff.structuredPatch>) => made(diff, given) };
});

let isTooSlow = false;
const options: unknown[] = [];
function made(diff: typeof import("diff"), given: Parameters<typeof diff.structuredPatch>) {
  options.push(given[6]);
  return isTooSlow ? undefined : diff.structuredPatch(...given);
}

const LINE = fc.constantFrom(
  "a",
  "b",
  "c",
  "",
  " x",
  "-y",
  "+z",
  "--- a",
  "@@ -1 +1 @@",
  "\\ No newline",
  "é\u2028",
  "\r",
);
const TEXT = fc
  .array(fc.tuple(LINE, fc.constantFrom("\n", "\n", "\r\n")), { maxLength: 30 })
  .chain((lines) => fc.constantFrom(lines.flat().join(""), lines.flat().slice(0, -1).join("")));

async function patchedBack(oldText: string, newText: string): Promise<string> {
  const parsed = parsePatch(await unifiedDiff({ path: "x", oldText, newText }));
  if (!parsed.ok) throw new Error(parsed.message);
  const [file] = parsed.files;
  const result = applyHunks(oldText, file?.kind === "update" ? file.hunks : [], "as the patch says");
  if (!result.ok) throw new Error(result.fault.message);
  return result.value;
}

describe("unifiedDiff", () => {
  it.each([false, true])(
    "is a patch that makes the new text of the old one (too slow for the good way: %s)",
    async (slow) => {
      isTooSlow = slow;
      await fc.assert(
        fc.asyncProperty(TEXT, TEXT, async (oldText, newText) => {
          if (oldText !== newText) expect(await patchedBack(oldText, newText)).toBe(newText);
        }),
        { numRuns: 1500 },
      );
      isTooSlow = false;
    },
  );

  it("is empty where nothing differs", async () => {
    expect(await unifiedDiff({ path: "x", oldText: "a", newText: "a" })).toBe("");
  });

  it.each([
    [null, "a\n", "--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+a\n"],
    ["a\n", null, "--- a/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n"],
  ])("from %j to %j", async (oldText, newText, expected) => {
    expect(await unifiedDiff({ path: "x", oldText, newText })).toBe(expected);
  });

  it("keeps a path with odd characters on its line", async () => {
    const diff = await unifiedDiff({ path: 'a\n+++ b/other\t"', oldText: "a", newText: "b" });
    expect(diff.split("\n")[1]).toBe('+++ "b/a\\n+++ b/other\\t\\""');
    expect(parsePatch(diff)).toMatchObject({ ok: true, files: [{ path: 'a\n+++ b/other\t"' }] });
  });

  it.each([
    [undefined, 100],
    [4, 25],
    [500, 2],
  ])("of %s has its share of the time", async (of, timeout) => {
    await unifiedDiff({ path: "x", oldText: "a", newText: "b", ...(of !== undefined && { of }) });
    expect(options.at(-1)).toMatchObject({ timeout });
  });
});
