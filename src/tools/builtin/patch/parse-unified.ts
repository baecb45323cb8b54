import { quoted } from "../../../domain/visible.ts";
import type { FilePatch, Hunk } from "./patch.ts";
import type { PatchLines } from "./patch-lines.ts";
import { type FileHeader, headerFrom, isFileHeader } from "./unified-header.ts";
import { isHunkHeader, unifiedHunkFrom } from "./unified-hunk.ts";

/** `git format-patch` ends with this line and a version. */
const SIGNATURE = /^-- ?$/;

/** A unified diff as `diff -u` and `git diff` write it, with the text of a mail before and a signature behind it. */
export function parseUnified(lines: PatchLines): readonly FilePatch[] {
  for (; !lines.isDone && !isFileHeader(lines); lines.step()) {
    if (isHunkHeader(lines.header)) throw lines.problem("a hunk before any file is named");
  }
  const files: FilePatch[] = [];
  for (; !lines.isDone && !SIGNATURE.test(lines.header); lines.skipBlank()) {
    if (!isFileHeader(lines)) throw lines.problem(`${quoted(lines.header)} is no line of a patch`);
    files.push(fileFrom(lines));
  }
  return files;
}

function fileFrom(lines: PatchLines): FilePatch {
  const start = lines.number;
  const header = headerFrom(lines);
  const hunks: Hunk[] = [];
  while (isHunkHeader(lines.header)) hunks.push(unifiedHunkFrom(lines));
  const file = filePatch(header, hunks);
  if (typeof file === "string") throw lines.problem(`${file} (of the file that begins on line ${start})`);
  return file;
}

/** The parts put together, or what does not fit. */
function filePatch(header: FileHeader, hunks: readonly Hunk[]): FilePatch | string {
  const { oldPath, newPath, executable } = header;
  const mode = executable === undefined ? {} : { executable };
  if (oldPath === null && newPath === null) return "both names are `/dev/null`";
  if (newPath === null) return { kind: "delete", path: oldPath ?? "", hunks };
  if (oldPath === null) return added(newPath, hunks, mode);
  const moveTo = oldPath === newPath ? null : newPath;
  if (hunks.length === 0 && moveTo === null && executable === undefined) return "nothing is changed";
  return { kind: "update", path: oldPath, moveTo, hunks, ...mode };
}

function added(path: string, hunks: readonly Hunk[], mode: { executable?: boolean }): FilePatch | string {
  const lines = hunks.flatMap((hunk) => hunk.lines);
  if (hunks.length > 1 || lines.some(({ kind }) => kind !== "add"))
    return "a new file has one hunk, of added lines only";
  return { kind: "add", path, content: lines.map(({ text }) => text).join(""), ...mode };
}
