import { quoted } from "../domain/visible.ts";
import { type PatternError, patternError } from "./pattern-error.ts";
import { ANY_WORD, ANY_WORDS, type Token } from "./word-match.ts";

const PART = /'([^']*)'|"((?:[^"\\]|\\[\s\S])*)"|\\([\s\S])|([^ \t'"\\]+)/y;
const OPERATOR = /[;|&<>()$`]/;

/** Splits a pattern at blanks. Quotes and backslashes do what they do in bash; a `*` in quotes is that letter. */
export function commandWords(text: string): readonly Token[] | PatternError {
  if (!text.isWellFormed() || text.includes("\0"))
    return patternError("the pattern holds characters that no command line has");
  const words: Token[] = [];
  let at = 0;
  while (at < text.length) {
    if (/[ \t]/.test(text[at] as string)) {
      at++;
      continue;
    }
    const word = wordAt(text, at);
    if ("error" in word) return word;
    words.push(word.token);
    at = word.end;
  }
  return words.length === 0
    ? patternError("the pattern is empty", "write `npm test`, or `**` for every command")
    : words;
}

function wordAt(text: string, start: number): { readonly token: Token; readonly end: number } | PatternError {
  let token = "";
  let bare = "";
  let at = start;
  while (at < text.length && !/[ \t]/.test(text[at] as string)) {
    PART.lastIndex = at;
    const found = PART.exec(text);
    if (found === null) return patternError(`${quoted(text)} has a quote that does not end`);
    const [part, single, double, escaped, plain = ""] = found;
    const operator = OPERATOR.exec(plain)?.[0];
    if (operator !== undefined) {
      const message = `${quoted(operator)} is no part of a command: each command of a line is judged by itself`;
      return patternError(message, "write one pattern for each command, or quote it where it is meant as a letter");
    }
    if (/\p{Cc}/u.test(plain))
      return patternError("the pattern holds a control character", "quote it, or leave it out");
    token += single ?? double?.replace(/\\(["\\$`])/g, (_, letter: string) => letter) ?? escaped ?? plain;
    bare += plain;
    at += part.length;
  }
  const isBare = bare === token;
  if (isBare && bare === "*") return { token: ANY_WORD, end: at };
  if (isBare && bare === "**") return { token: ANY_WORDS, end: at };
  if (bare.includes("*")) {
    const message = `the \`*\` in ${quoted(token)} would be a part of a word`;
    return patternError(message, "`*` stands for a whole word; quote it where it is meant as a letter");
  }
  return { token, end: at };
}
