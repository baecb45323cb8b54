import { setImmediate } from "node:timers/promises";
import { placesInText } from "../../domain/places-in-text.ts";
import { type FileResult, fault, ok } from "../../ports/files.ts";
import { crlfFromLf, isCrlf, lfFromCrlf } from "./line-ends.ts";

export type Edit =
  | { readonly type: "replace"; readonly oldText: string; readonly newText: string }
  | { readonly type: "insert"; readonly line: number; readonly newText: string };

/** From this size on, others get their turn between two edits. */
const LARGE_CHARS = 100_000;

/**
 * One edit after the other, each on what the ones before it have left; the first that does not fit ends it all.
 * A file whose lines all end with CRLF is edited as if they ended with LF and gets them back: whoever writes an edit
 * sees lines, and half a file of each kind is what nobody wants. A file of both kinds is taken as it is.
 */
export async function applyEdits(text: string, edits: readonly Edit[]): Promise<FileResult<string>> {
  if (!isCrlf(text)) return await applyInOrder(text, edits);
  const result = await applyInOrder(lfFromCrlf(text), edits.map(editInLf));
  return result.ok ? ok(crlfFromLf(result.value)) : result;
}

const editInLf = (edit: Edit): Edit =>
  edit.type === "replace"
    ? { ...edit, oldText: lfFromCrlf(edit.oldText), newText: lfFromCrlf(edit.newText) }
    : { ...edit, newText: lfFromCrlf(edit.newText) };

async function applyInOrder(text: string, edits: readonly Edit[]): Promise<FileResult<string>> {
  let result = text;
  for (const [index, edit] of edits.entries()) {
    if (result.length > LARGE_CHARS) await setImmediate();
    const applied = edit.type === "replace" ? replaced(result, edit, index) : inserted(result, edit, index);
    if (!applied.ok) return applied;
    result = applied.value;
  }
  return ok(result);
}

function replaced(text: string, edit: Edit & { type: "replace" }, index: number): FileResult<string> {
  const { oldText, newText } = edit;
  const [at, ...others] = placesOf(oldText, text);
  if (at === undefined) {
    return fault(
      "CONTENT_NOT_FOUND",
      `\`edits[${index}].oldText\` is not in the file`,
      "read the file again: every space and line end has to be the same",
    );
  }
  if (others.length > 0) {
    const lines = [at, ...others].map((place) => lineAt(text, place)).join(", ");
    const many = others.length + 1 === PLACES_MAX ? `${PLACES_MAX} times or more` : `${others.length + 1} times`;
    return fault(
      "MULTIPLE_MATCHES",
      `\`edits[${index}].oldText\` is in the file ${many}, on the lines ${lines}`,
      "add some of the text around the place that is meant",
    );
  }
  return ok(text.slice(0, at) + newText + text.slice(at + oldText.length));
}

/** No message names more places than this. */
const PLACES_MAX = 5;

/** Matches that overlap count as several: `aa` is twice in `aaa`, and either could be meant. */
const placesOf = (wanted: string, text: string): readonly number[] => [...placesInText(text, wanted).take(PLACES_MAX)];

function lineAt(text: string, place: number): number {
  let line = 1;
  for (let at = text.indexOf("\n"); at !== -1 && at < place; at = text.indexOf("\n", at + 1)) line++;
  return line;
}

/** A byte order mark is one only where a file begins; anywhere else it is a character that nobody sees. */
const BOM = "\ufeff";

/** Lines stay lines: where the new text or the line before it has no end, it gets one. */
function inserted(text: string, { line, newText }: Edit & { type: "insert" }, index: number): FileResult<string> {
  const place = lineStart(text, line);
  if ("lines" in place) {
    const message = `\`edits[${index}].line\` is ${line}, and the file has ${place.lines} lines`;
    return fault("INVALID_OFFSET", message, "read the file again and count its lines");
  }
  const mark = line === 0 && text.startsWith(BOM) ? BOM : "";
  const before = text.slice(0, place.at);
  const after = text.slice(place.at + mark.length);
  return ok(
    mark + before + (isEnded(before) ? "" : "\n") + newText + (after === "" || isEnded(newText) ? "" : "\n") + after,
  );
}

/** Where the text behind so many lines begins, or how many there are. A line may have no end at the end of the text. */
function lineStart(text: string, line: number): { readonly at: number } | { readonly lines: number } {
  let at = 0;
  for (let lines = 0; lines < line; lines++) {
    if (at === text.length) return { lines };
    const newline = text.indexOf("\n", at);
    at = newline === -1 ? text.length : newline + 1;
  }
  return { at };
}

const isEnded = (text: string): boolean => text === "" || text.endsWith("\n");
