import { quoted } from "../../../domain/visible.ts";
import type { FilePatch, Hunk, HunkLine } from "./patch.ts";
import type { PatchLines } from "./patch-lines.ts";

const END = "*** End Patch";
const ADD = "*** Add File: ";
const UPDATE = "*** Update File: ";
const DELETE = "*** Delete File: ";
const MOVE = "*** Move to: ";
const END_OF_FILE = "*** End of File";

/** The patch grammar of OpenAI's Codex, from `*** Begin Patch` to `*** End Patch`. */
export function parseCodex(lines: PatchLines): readonly FilePatch[] {
  lines.step();
  const files: FilePatch[] = [];
  for (lines.skipBlank(); lines.header !== END; lines.skipBlank()) {
    if (lines.isDone) throw lines.problem(`\`${END}\` is missing`);
    files.push(fileFrom(lines));
  }
  lines.step();
  lines.skipBlank();
  if (!lines.isDone) throw lines.problem(`nothing may follow \`${END}\``);
  return files;
}

function fileFrom(lines: PatchLines): FilePatch {
  const { header } = lines;
  if (header.startsWith(ADD)) return { kind: "add", path: pathAfter(ADD, lines), content: addedContent(lines) };
  if (header.startsWith(DELETE)) return { kind: "delete", path: pathAfter(DELETE, lines), hunks: null };
  if (header.startsWith(UPDATE)) return updateFrom(lines);
  throw lines.problem(
    `${quoted(header)} is no line of a patch; \`${ADD.trim()}\`, \`${UPDATE.trim()}\` or \`${DELETE.trim()}\` was expected`,
  );
}

function pathAfter(directive: string, lines: PatchLines): string {
  const path = lines.header.slice(directive.length).trim();
  if (path === "") throw lines.problem("the path is missing");
  lines.step();
  return path;
}

function addedContent(lines: PatchLines): string {
  const added: string[] = [];
  for (; !lines.isDone && !isDirective(lines); lines.step()) {
    if (!lines.next.startsWith("+")) throw lines.problem("each line of a new file has to begin with `+`");
    added.push(`${lines.next.slice(1)}\n`);
  }
  return added.join("");
}

function updateFrom(lines: PatchLines): FilePatch {
  const path = pathAfter(UPDATE, lines);
  const moveTo = lines.header.startsWith(MOVE) ? pathAfter(MOVE, lines) : null;
  const hunks: Hunk[] = [];
  while (!lines.isDone && !isDirective(lines)) hunks.push(hunkFrom(lines));
  if (hunks.length === 0 && moveTo === null)
    throw lines.problem(`nothing is said about what to change in ${quoted(path)}`);
  return { kind: "update", path, moveTo, hunks };
}

const isDirective = ({ header }: PatchLines): boolean => header.startsWith("*** ");

const isAnchor = ({ header }: PatchLines): boolean => header === "@@" || header.startsWith("@@ ");

function hunkFrom(lines: PatchLines): Hunk {
  const patchLine = lines.number;
  const anchors = anchorsFrom(lines);
  const body: HunkLine[] = [];
  for (; !lines.isDone && !isDirective(lines) && !isAnchor(lines); lines.step()) body.push(hunkLineFrom(lines));
  if (body.length === 0) throw lines.problem("a hunk without lines");
  if (anchors.length > 0 && body.every(({ kind }) => kind === "add")) {
    throw lines.problem("a hunk behind `@@` that only adds lines needs a line of context, to say where");
  }
  const atEnd = lines.header === END_OF_FILE;
  if (atEnd) lines.step();
  return { patchLine, place: { by: "anchors", anchors, atEnd }, lines: body };
}

/** `@@` alone only parts two hunks; several in a row lead from one to the next. */
function anchorsFrom(lines: PatchLines): readonly string[] {
  const anchors: string[] = [];
  for (; isAnchor(lines); lines.step()) {
    const anchor = lines.header.slice(2).trim();
    if (/^-\d+(,\d+)? \+\d+(,\d+)? @@/.test(anchor)) {
      throw lines.problem("behind `@@` stands a line of the file, not line numbers");
    }
    if (anchor !== "") anchors.push(anchor);
  }
  return anchors;
}

const KINDS: Readonly<Record<string, HunkLine["kind"]>> = { " ": "keep", "-": "remove", "+": "add" };

function hunkLineFrom(lines: PatchLines): HunkLine {
  const { next } = lines;
  if (next === "" || next === "\r") return { kind: "keep", text: `${next}\n` };
  const kind = KINDS[next[0] ?? ""];
  if (kind === undefined) throw lines.problem("a line of a hunk has to begin with a space, `-` or `+`");
  return { kind, text: `${next.slice(1)}\n` };
}
