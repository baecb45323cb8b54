import { type FileResult, fault, ok } from "../../ports/files.ts";
import { labelled } from "./file-plan.ts";

/** 1-based, both ends included. */
export interface LineRange {
  readonly startLine: number;
  readonly endLine: number;
}

const NEWLINE = 0x0a;

/** Where in the content they are, in bytes. */
export interface LinePlace {
  readonly start: number;
  readonly end: number;
}

/**
 * The lines of the range with their ends. A line ends with `\n`; the last one may do without. As with bytes, the place
 * right behind the end is a good place to begin and gives nothing, and one further is not.
 */
export function linesIn(
  content: Uint8Array,
  { startLine, endLine }: LineRange,
  shownPath: string,
): FileResult<LinePlace> {
  let [line, start] = [1, 0];
  for (; line < startLine && start < content.length; line++) start = lineEnd(content, start);
  if (line < startLine) {
    const lines = line - 1;
    return fault("INVALID_OFFSET", `${labelled(shownPath)} has no line ${startLine}`, `it has ${lines} lines`);
  }
  let end = start;
  for (; line <= endLine && end < content.length; line++) end = lineEnd(content, end);
  return ok({ start, end });
}

function lineEnd(content: Uint8Array, from: number): number {
  const newline = content.indexOf(NEWLINE, from);
  return newline === -1 ? content.length : newline + 1;
}
