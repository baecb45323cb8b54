import { escapeToken, type Token, Untranslatable } from "./ecma-escape.ts";

/** A pattern as JSON Schema has it (ECMA-262) in the syntax of RE2, or why there is none. */
export type Translation = { readonly source: string } | { readonly problem: string };

export function re2FromEcma(pattern: string): Translation {
  if (!isEcmaPattern(pattern)) return { problem: "is not a regular expression" };
  try {
    return { source: translated(pattern) };
  } catch (error) {
    return { problem: (error as Untranslatable).message };
  }
}

/** With `u`, as JSON Schema recommends, or without, as many schemas are written (`\_`, `\@`). Parsed here, never run. */
const isEcmaPattern = (pattern: string): boolean => parses(pattern, "u") || parses(pattern, "");

function parses(pattern: string, flags: string): boolean {
  try {
    new RegExp(pattern, flags);
    return true;
  } catch {
    return false;
  }
}

/** Token by token: copied, or written so that RE2 reads what ECMA-262 means. */
function translated(pattern: string): string {
  let source = "";
  let place: "class" | "outside" = "outside";
  for (let rest = pattern; rest !== ""; ) {
    const [token, meaning] = place === "class" ? tokenInClass(rest) : tokenOutside(rest);
    if (token === "[" || token === "[^") place = "class";
    if (token === "]") place = "outside";
    source += meaning;
    rest = rest.slice(token.length);
  }
  return source;
}

function tokenInClass(rest: string): Token {
  if (/^\\[dDsSwW]-(?!\])/.test(rest)) return dashAfterSet(rest);
  if (/^-\\[dDsSwW]/.test(rest)) return ["-", "\\-"];
  if (rest.startsWith("\\")) return escapeToken(rest, "class");
  if (rest.startsWith("[")) return ["[", "\\["]; // `[[:alpha:]]` means something to RE2
  return rest.startsWith("]") ? ["]", "]"] : plain(rest);
}

/**
 * `[\s-.]`: a range can't begin or end at a set, so the dash is itself (ECMA-262, annex B.1.2.5), and so is one after the
 * character that the range would have ended at. RE2 would make a range of it, from the last character that `\s` is written as.
 */
function dashAfterSet(rest: string): Token {
  const [set, setMeaning] = escapeToken(rest, "class");
  const after = rest.slice(set.length + 1);
  const [end, endMeaning]: Token = after.startsWith("-") ? ["-", "\\-"] : tokenInClass(after);
  const hasDash = /^-[^-]/.test(after.slice(end.length));
  return [`${set}-${end}${hasDash ? "-" : ""}`, `${setMeaning}\\-${endMeaning}${hasDash ? "\\-" : ""}`];
}

function tokenOutside(rest: string): Token {
  switch (rest[0]) {
    case "\\":
      return escapeToken(rest, "outside");
    case "(":
      return group(rest);
    case "[":
      return classStart(rest);
    case ".":
      return [".", String.raw`[^\n\r\x{2028}\x{2029}]`];
    case "{":
      return repeat(rest);
    case "}":
      return ["}", "\\}"];
    case "]":
      return ["]", "\\]"];
    default:
      return plain(rest);
  }
}

/** Nobody asks what a group caught, and a group that catches nothing is faster. */
function group(rest: string): Token {
  const [lookaround] = /^\(\?<?[=!]/.exec(rest) ?? [];
  if (lookaround !== undefined) {
    const kind = lookaround.includes("<") ? "lookbehind" : "lookahead";
    throw new Untranslatable(`uses a ${kind}, which can't be matched in linear time`);
  }
  const [start] = /^\((?:\?(?::|<[^>]+>)|(?!\?))/.exec(rest) ?? [];
  if (start === undefined) throw new Untranslatable("uses flags inside, which are not supported");
  return [start, "(?:"];
}

/** ECMA-262 has empty classes; RE2 takes the first `]` for a member. */
function classStart(rest: string): Token {
  if (rest.startsWith("[^]")) return ["[^]", String.raw`[\x{0}-\x{10ffff}]`];
  if (rest.startsWith("[]")) return ["[]", String.raw`[^\x{0}-\x{10ffff}]`];
  const start = rest.startsWith("[^") ? "[^" : "[";
  return [start, start];
}

function repeat(rest: string): Token {
  const [counts] = /^\{\d+(?:,\d*)?\}/.exec(rest) ?? [];
  return counts === undefined ? ["{", "\\{"] : [counts, counts];
}

function plain(rest: string): Token {
  const character = String.fromCodePoint(rest.codePointAt(0) as number);
  return [character, character];
}
