import type { StructuredPatchHunk } from "diff";
import { linesOf } from "./line-ends.ts";
import { quotedPatchPath } from "./patch/patch-path.ts";

/** A person reads it: a better diff is not worth holding up other calls. All those of one call together have so much. */
const TIMEOUT_MS = 100;
const TIMEOUT_MS_MIN = 2;
const CONTEXT_LINES = 3;

/** What a diff is made of; null = there is no file. */
export interface DiffSides {
  readonly path: string;
  readonly oldPath?: string;
  readonly oldText: string | null;
  readonly newText: string | null;
  /** How many the call makes. 1 if not given. */
  readonly of?: number;
}

/** In the form of `git diff`. Empty, if nothing differs. */
export async function unifiedDiff({ path, oldPath = path, oldText, newText, of = 1 }: DiffSides): Promise<string> {
  const hunks = await hunksOf(oldText ?? "", newText ?? "", Math.max(TIMEOUT_MS / of, TIMEOUT_MS_MIN));
  if (hunks.length === 0) return "";
  const from = oldText === null ? "/dev/null" : quotedPatchPath(`a/${oldPath}`);
  const to = newText === null ? "/dev/null" : quotedPatchPath(`b/${path}`);
  return `--- ${from}\n+++ ${to}\n${hunks.map(hunkText).join("")}`;
}

type Hunk = Omit<StructuredPatchHunk, "lines"> & { readonly lines: readonly string[] };

async function hunksOf(oldText: string, newText: string, timeout: number): Promise<readonly Hunk[]> {
  if (oldText === newText) return [];
  const { structuredPatch } = await import("diff"); // only a call that changes a text pays for it
  const options = { context: CONTEXT_LINES, timeout };
  const patch = structuredPatch("", "", oldText, newText, undefined, undefined, options);
  return patch?.hunks ?? [coarseHunk(linesOf(oldText), linesOf(newText))];
}

/** Everything between the first and the last line that differ, as removed and added. */
function coarseHunk(oldLines: readonly string[], newLines: readonly string[]): Hunk {
  const shorter = Math.min(oldLines.length, newLines.length);
  let head = 0;
  while (head < shorter && oldLines[head] === newLines[head]) head++;
  let tail = 0;
  while (tail < shorter - head && oldLines.at(-1 - tail) === newLines.at(-1 - tail)) tail++;

  const start = Math.max(0, head - CONTEXT_LINES);
  const before = oldLines.slice(start, head);
  const after = oldLines.slice(oldLines.length - tail).slice(0, CONTEXT_LINES);
  const removed = oldLines.slice(head, oldLines.length - tail);
  const added = newLines.slice(head, newLines.length - tail);
  const around = before.length + after.length;
  return {
    oldStart: start + 1,
    oldLines: around + removed.length,
    newStart: start + 1,
    newLines: around + added.length,
    lines: [...marked(" ", before), ...marked("-", removed), ...marked("+", added), ...marked(" ", after)],
  };
}

const NO_END = "\\ No newline at end of file";

const marked = (mark: string, lines: readonly string[]): readonly string[] =>
  lines.flatMap((line) => (line.endsWith("\n") ? [mark + line.slice(0, -1)] : [mark + line, NO_END]));

function hunkText({ oldStart, oldLines, newStart, newLines, lines }: Hunk): string {
  const header = `@@ -${rangeText(oldStart, oldLines)} +${rangeText(newStart, newLines)} @@`;
  return `${[header, ...lines].join("\n")}\n`;
}

/** A range of no lines is named by the line before it. */
const rangeText = (start: number, lines: number): string =>
  `${lines === 0 ? start - 1 : start}${lines === 1 ? "" : `,${lines}`}`;
