import type { FilePatch } from "./patch.ts";

export type LineEnds = "as the patch says" | "as the file has them";

/**
 * Who writes a patch without a single CR about a file that has one at the end of every line has not seen them. One that
 * holds any, in whichever of its files, says where they belong in all of them.
 */
export const lineEndsOf = (files: readonly FilePatch[]): LineEnds =>
  files.some(hasCr) ? "as the patch says" : "as the file has them";

const hasCr = (file: FilePatch): boolean =>
  file.kind === "add"
    ? file.content.includes("\r")
    : (file.hunks ?? []).some(({ lines }) => lines.some(({ text }) => text.includes("\r")));
