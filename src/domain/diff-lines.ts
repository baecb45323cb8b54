export type LineKind = "added" | "removed" | "place" | "same";

const HUNK = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/;

/**
 * What each line of a unified diff is. The lines between hunks (`--- a/x`, `+++ b/x`) name files: only a hunk's own numbers
 * tell them from a removed line that begins with `-- `. In a text without such numbers, the first character decides.
 */
export function diffLineKinds(lines: readonly string[]): readonly LineKind[] {
  const isCounted = lines.some((line) => HUNK.test(line));
  let [old, fresh] = [0, 0];
  return lines.map((line) => {
    const hunk = HUNK.exec(line);
    if (hunk !== null && old === 0 && fresh === 0) {
      [old, fresh] = [Number(hunk[1] ?? 1), Number(hunk[2] ?? 1)];
      return "place";
    }
    if (isCounted && old === 0 && fresh === 0) return "place";
    if (line.startsWith("+")) fresh = Math.max(0, fresh - 1);
    else if (line.startsWith("-")) old = Math.max(0, old - 1);
    else if (!line.startsWith("\\")) [old, fresh] = [Math.max(0, old - 1), Math.max(0, fresh - 1)];
    return KINDS[line[0] as keyof typeof KINDS] ?? "same";
  });
}

const KINDS = { "+": "added", "-": "removed", "@": "place" } as const;
