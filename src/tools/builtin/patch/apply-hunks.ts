import { type FileResult, fault, ok } from "../../../ports/files.ts";
import { crlfFromLf, isCrlf, lfFromCrlf, linesOf } from "../line-ends.ts";
import type { LineEnds } from "./line-ends-of.ts";
import { LineSearch } from "./line-search.ts";
import type { Anchors, Hunk, HunkLine } from "./patch.ts";

/**
 * The file's text after the hunks, or which of them does not fit.
 * Lines have to match exactly. A hunk is put where its line number says, if it fits there; if not, at the only place
 * behind the hunk before it where it fits. From the first hunk that had to be moved, numbers count no longer.
 */
export function applyHunks(text: string, hunks: readonly Hunk[], lineEnds: LineEnds): FileResult<string> {
  if (!text.startsWith(BOM) || hunks.some(namesMark)) return applyToLines(text, hunks, lineEnds);
  const result = applyToLines(text.slice(BOM.length), hunks, lineEnds);
  return result.ok && result.value !== "" ? ok(BOM + result.value) : result;
}

/** A byte order mark is one only where a file begins, and nobody sees it: a patch that does not write it leaves it there. */
const BOM = "\ufeff";

const namesMark = ({ lines }: Hunk): boolean => lines.some(({ text }) => text.startsWith(BOM));

function applyToLines(text: string, hunks: readonly Hunk[], lineEnds: LineEnds): FileResult<string> {
  if (lineEnds === "as the file has them" && isCrlf(text)) {
    const result = applyWithFinalNewline(lfFromCrlf(text), hunks);
    return result.ok ? ok(crlfFromLf(result.value)) : result;
  }
  return applyWithFinalNewline(text, hunks);
}

/** The Codex grammar can't say that a file's last line has no end, so a file keeps what it had. */
function applyWithFinalNewline(text: string, hunks: readonly Hunk[]): FileResult<string> {
  const isSilent = hunks.some(({ place }) => place.by === "anchors");
  if (!isSilent || text === "" || text.endsWith("\n")) return applyExactly(text, hunks);
  const result = applyExactly(`${text}\n`, hunks);
  return result.ok && result.value.endsWith("\n") ? ok(result.value.slice(0, -1)) : result;
}

function applyExactly(text: string, hunks: readonly Hunk[]): FileResult<string> {
  const lines = linesOf(text);
  const search = new LineSearch(lines);
  const pieces = new Pieces();
  let done = 0;
  let isMoved = false;
  for (const hunk of hunks) {
    const place = placeOf(hunk, search, done, isMoved);
    if (!place.ok) return place;
    isMoved ||= hunk.place.by === "number" && place.value !== firstLine(hunk, hunk.place.oldStart);
    pieces.add(lines.slice(done, place.value).join(""));
    pieces.add(textOf(hunk, "remove"));
    if (pieces.isBroken) return misfit(hunk, "would be glued to a line that has no end");
    done = place.value + oldLines(hunk).length;
  }
  pieces.add(lines.slice(done).join(""));
  const last = hunks.at(-1);
  return pieces.isBroken && last ? misfit(last, "does not end where the file ends") : ok(pieces.text);
}

/** Text in the making. Only its very end may be a line without an end. */
class Pieces {
  #texts: string[] = [];
  #isEnded = true;
  isBroken = false;

  add(text: string): void {
    if (text === "") return;
    if (!this.#isEnded) this.isBroken = true;
    this.#texts.push(text);
    this.#isEnded = text.endsWith("\n");
  }

  get text(): string {
    return this.#texts.join("");
  }
}

const without = ({ lines }: Hunk, kind: HunkLine["kind"]): readonly string[] =>
  lines.filter((line) => line.kind !== kind).map(({ text }) => text);

const oldLines = (hunk: Hunk): readonly string[] => without(hunk, "add");
const textOf = (hunk: Hunk, left: HunkLine["kind"]): string => without(hunk, left).join("");

/** As an index. A hunk without old lines is named by the line before it. */
const firstLine = (hunk: Hunk, oldStart: number): number => (oldLines(hunk).length === 0 ? oldStart : oldStart - 1);

function placeOf(hunk: Hunk, search: LineSearch, from: number, isMoved: boolean): FileResult<number> {
  if (hunk.place.by === "anchors") return placeBehind(hunk, hunk.place, search, from);
  const block = oldLines(hunk);
  const stated = firstLine(hunk, hunk.place.oldStart);
  if (!isMoved && stated >= from && search.fitsAt(stated, block)) return ok(stated);
  if (block.length === 0) return misfit(hunk, "has no old lines that would tell its place");
  return onlyPlace(hunk, block, search, from);
}

function placeBehind(hunk: Hunk, { anchors, atEnd }: Anchors, search: LineSearch, done: number): FileResult<number> {
  let from = done;
  for (const anchor of anchors) {
    const at = search.line(anchor, from);
    if (at === null) return misfit(hunk, "names a line behind `@@` that is not there");
    from = at + 1;
  }
  const block = oldLines(hunk);
  if (!atEnd && block.length > 0) return onlyPlace(hunk, block, search, from);
  const end = search.length - block.length;
  return end >= from && search.fitsAt(end, block) ? ok(end) : misfit(hunk, "does not fit the end of the file");
}

function onlyPlace(hunk: Hunk, block: readonly string[], search: LineSearch, from: number): FileResult<number> {
  const [place, other] = search.places(block, from);
  if (search.isExhausted) return misfit(hunk, "was looked for in too many places", "FILE_TOO_LARGE");
  if (place === undefined) return misfit(hunk, "does not fit: its old lines are not there");
  if (other === undefined) return ok(place);
  return misfit(hunk, `fits in several places, on the lines ${place + 1} and ${other + 1}`, "MULTIPLE_MATCHES");
}

const HINTS = {
  CONTENT_NOT_FOUND: "read the file again: every space and line end of the old lines has to be the same",
  MULTIPLE_MATCHES: "add some of the lines around it",
  FILE_TOO_LARGE: "make the patch anew, with the right line numbers",
};

function misfit(hunk: Hunk, says: string, code: keyof typeof HINTS = "CONTENT_NOT_FOUND"): FileResult<never> {
  return fault(code, `the hunk on line ${hunk.patchLine} of the patch ${says}`, HINTS[code]);
}
