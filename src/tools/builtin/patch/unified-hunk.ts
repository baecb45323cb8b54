import type { Hunk, HunkLine } from "./patch.ts";
import type { PatchLines } from "./patch-lines.ts";

const HEADER = /^@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@/;

export const isHunkHeader = (line: string): boolean => line.startsWith("@@");

/** Reads exactly as many lines as the header announces. */
export function unifiedHunkFrom(lines: PatchLines): Hunk {
  const header = HEADER.exec(lines.header);
  if (header === null) throw lines.problem("this is not the beginning of a hunk: `@@ -1,3 +1,4 @@` was expected");
  const patchLine = lines.number;
  const [oldStart = 0, oldLines = 0, , newLines = 0] = header.slice(1).map((digits) => Number(digits ?? 1));
  lines.step();

  const body = new HunkBody();
  while (body.old < oldLines || body.new < newLines) {
    if (lines.isDone) throw lines.problem("the patch ends in the middle of a hunk");
    const problem = body.add(lines.next);
    if (problem !== null) throw lines.problem(problem);
    lines.step();
    if (body.old > oldLines || body.new > newLines) throw lines.problem(COUNTS);
    if (lines.header.startsWith("\\")) {
      body.cutLineEnd();
      lines.step();
    }
  }
  if (/^[ +-]/.test(lines.next) && !isNextPart(lines)) throw lines.problem(COUNTS);
  return { patchLine, place: { by: "number", oldStart }, lines: body.lines };
}

const COUNTS = "the hunk's lines are not as many as its `@@` line says";

/** `--- name` and the line `-- ` of a mail look like removed lines, and stand behind a hunk all the same. */
const isNextPart = (lines: PatchLines): boolean =>
  (lines.header.startsWith("--- ") && lines.headerAfter.startsWith("+++ ")) || /^-- ?$/.test(lines.header);

const KINDS: Readonly<Record<string, HunkLine["kind"]>> = { " ": "keep", "-": "remove", "+": "add" };

class HunkBody {
  readonly lines: HunkLine[] = [];
  old = 0;
  new = 0;
  #oldEnded = false;
  #newEnded = false;

  /** What is wrong with the line, or null. */
  add(line: string): string | null {
    // Editors cut spaces at the end of lines, so an empty line is an empty line of context, as for git.
    const kind = line === "" || line === "\r" ? "keep" : KINDS[line[0] ?? ""];
    if (kind === undefined) return "a line of a hunk has to begin with a space, `-` or `+`";
    if ((kind !== "add" && this.#oldEnded) || (kind !== "remove" && this.#newEnded)) {
      return "a line behind `\\ No newline at end of file`";
    }
    if (kind !== "add") this.old++;
    if (kind !== "remove") this.new++;
    this.lines.push({ kind, text: `${line === "" || line === "\r" ? line : line.slice(1)}\n` });
    return null;
  }

  /** The file ends with this line, and the line has no end. */
  cutLineEnd(): void {
    const last = this.lines.pop();
    if (last === undefined) return;
    this.lines.push({ kind: last.kind, text: last.text.slice(0, -1) });
    if (last.kind !== "add") this.#oldEnded = true;
    if (last.kind !== "remove") this.#newEnded = true;
  }
}
