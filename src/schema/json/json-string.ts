import { JsonTextFault } from "./json-text-fault.ts";

const BACKSLASH = 0x5c;

/** Where the string that opens at `open` closes. A quote is escaped when an odd number of backslashes stands before it. */
export function closingQuote(text: string, open: number): number {
  let close = text.indexOf('"', open + 1);
  while (close !== -1 && backslashesBefore(text, close) % 2 === 1) close = text.indexOf('"', close + 1);
  if (close === -1) throw new JsonTextFault("a string begins here and is not closed", open);
  return close;
}

/** Never reaches back over the quote before, so that all runs together are read once. */
function backslashesBefore(text: string, end: number): number {
  let start = end;
  while (text.charCodeAt(start - 1) === BACKSLASH) start--;
  return end - start;
}

/** A backslash, or a control character that should have been escaped. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is what it is for
const SPECIAL = /[\\\u0000-\u001f]/;

/** What stands between the quotes at `open` and `close`. */
export function textBetween(text: string, open: number, close: number): string {
  const inside = text.slice(open + 1, close);
  if (!SPECIAL.test(inside)) return inside;
  const decoded = decode(text.slice(open, close + 1));
  // The text as a whole is well-formed, so that only escapes can have made half a pair.
  if (decoded === null || !decoded.isWellFormed()) throw firstFault(text, open, close);
  return decoded;
}

/** The engine's own decoder, which takes a hundred megabytes in its stride. */
function decode(literal: string): string | null {
  try {
    return JSON.parse(literal) as string;
  } catch {
    return null;
  }
}

const PIECE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it must not match
  /[^\\\u0000-\u001f]|\\["\\/bfnrt]|\\u(?![dD][89a-fA-F])[0-9a-fA-F]{4}|\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}/y;

/** Of a string that is known to have a fault. */
function firstFault(text: string, open: number, close: number): JsonTextFault {
  let at = open + 1;
  for (PIECE.lastIndex = at; at < close && PIECE.test(text); at = PIECE.lastIndex);
  return new JsonTextFault(faultInWords(text.slice(at, close)), at);
}

function faultInWords(rest: string): string {
  if (!rest.startsWith("\\")) return "a control character, which has to be escaped";
  if (/^\\u[dD][89a-fA-F][0-9a-fA-F]{2}/.test(rest)) return "half of a surrogate pair, which is no character";
  return "an unknown escape";
}
