import { STARTS } from "./hazard-reasons.ts";

const RUNS = STARTS.awk;
const WRITES = "is a program that writes or reads files of its choice";

/** A token of awk that is no code: text, an expression behind something that can't be divided, a comment. */
const SKIPPED = /"(?:[^"\\\n]|\\[\s\S])*"|#[^\n]*/y;
const REGEX = /\/(?:[^/\\\n]|\\[\s\S])*\//y;
const NAME = /[A-Za-z_]\w*/y;
/** What a value ends in, after which a slash divides. */
const ENDS_VALUE = /[\w)\]"$]/;

/** Why a program in awk does more than look at its input; null = it does not. */
export function awkHazard(code: string): string | null {
  let at = 0;
  let last = "";
  let prints = false;
  let parens = 0;
  while (at < code.length) {
    const character = code[at] as string;
    const skipped = matchAt(SKIPPED, code, at) ?? (ENDS_VALUE.test(last) ? null : matchAt(REGEX, code, at));
    if (skipped !== null) {
      at += skipped.length;
      if (!skipped.startsWith("#")) last = '"';
      continue;
    }
    const name = matchAt(NAME, code, at);
    if (name !== null) {
      if (name === "system" || name === "ENVIRON") return RUNS;
      if (name === "getline" && /^\s*\w*\s*</.test(code.slice(at + name.length))) return WRITES;
      if (name === "print" || name === "printf") prints = true;
      at += name.length;
      last = /^(?:return|in|print|printf|getline|delete|else|do|case)$/.test(name) ? " " : "a";
      continue;
    }
    // An indirect call, or a directive that loads more.
    if (character === "@") return RUNS;
    if (character === '"') return RUNS;
    if (character === "|") {
      if (code[at + 1] !== "|") return RUNS;
      at++;
    }
    if (character === "(") parens++;
    if (character === ")") parens--;
    if (/[;{}\n]/.test(character)) {
      prints = false;
      parens = 0;
    }
    if (character === ">" && prints && parens <= 0) return WRITES;
    if (!/\s/.test(character)) last = character;
    at++;
  }
  return null;
}

function matchAt(pattern: RegExp, text: string, at: number): string | null {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? null;
}
