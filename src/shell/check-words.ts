import type { Word } from "../domain/touch.ts";
import { byName, checkPieces, type TemplateParameter } from "./check-pieces.ts";
import { isPlainProgram, mayBeData } from "./data-programs.ts";
import { endsOptions } from "./end-of-options.ts";
import { INTERPRETERS } from "./interpreters.ts";
import { programName } from "./program-name.ts";
import { STARTERS } from "./starters.ts";
import type { Piece } from "./unroll-template.ts";

/** A word of a command that is started without a shell: written out, or all of it a value. */
export type CommandWord = string | { readonly parameter: string };

export type CheckedWords =
  /** For each word, which letters a value must not begin with there. */
  | { readonly ok: true; readonly unfitHeads: readonly string[] }
  | { readonly ok: false; readonly at: number; readonly why: string; readonly fix: string };

/** No input has this name. */
const STDIN = "all inputs, on standard input";

/**
 * That every value of a command stays data, as in a script that has the same words: also all of them as one text on its
 * standard input. Programs that no table knows are given values by the word of who wrote the command down.
 */
export function checkWords(words: readonly CommandWord[], parameters: readonly TemplateParameter[]): CheckedWords {
  const written = words.filter((word) => typeof word === "string").map(programName);
  const declared = byName([{ name: STDIN, type: "object", isClosed: false }, ...parameters]);
  const dataFor = new Set(written.filter(mayBeData));
  const command = words.flatMap((word, at): readonly Piece[] => [
    " ",
    typeof word === "string" ? quotedWord(word, at) : slotAt(at, word.parameter),
  ]);
  const checked = checkPieces(command, declared, dataFor);
  if (!checked.ok) {
    const { slot, why, fix } = checked;
    return { ok: false, at: slot?.at ?? 0, why, fix: fix.includes("data_for") ? OTHER_NAME : fix };
  }
  const { tooComplex } = checked.reading;
  if (tooComplex !== null) return { ok: false, at: 0, why: tooComplex, fix: "write a shorter command" };
  const fed = checkPieces(["printf %s ", slotAt(0, STDIN), " |", ...command], declared, dataFor);
  // What `npm test` and its like start is written down elsewhere, by the same people.
  if (!fed.ok && !(Object.hasOwn(STARTERS, written[0] ?? "") && !written.some(runsText)))
    return { ok: false, at: 0, why: "the inputs are on its standard input, and would be code there", fix: OWN_SCRIPT };
  return {
    ok: true,
    unfitHeads: words.map((word, at) => {
      if (typeof word === "string") return "";
      return written.includes("find") ? FINDS : isBehindDashes(words.slice(0, at)) ? "" : "-";
    }),
  };
}

const OTHER_NAME = "name a program, by letters, digits, `.`, `_`, `+` and `-`";
const OWN_SCRIPT = "name a script of your own by its path, and let it read them";

const slotAt = (at: number, parameter: string): Piece => ({
  slot: { kind: "slot", name: parameter, json: false, at },
  parameter,
  value: "x",
});

/** As bash reads it for exactly this word. What means nothing to bash stays bare, so that `--` and options are seen. */
const quotedWord = (word: string, at: number): string =>
  (at > 0 ? /^[\w@%+=:,./-]+$/ : /^[\w.+/-]*[./-][\w.+/-]*$/).test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;

/** `find` knows no `--`: what looks like a part of its expression is one, wherever it stands. */
const FINDS = "-!(),";

/**
 * Whether a `--` before it ends the options of the program that gets the value. A launcher's own does not, nor does one that
 * it hands on; and who is not known well may be a launcher, if words stand there that may be a command.
 */
function isBehindDashes([program, ...words]: readonly CommandWord[]): boolean {
  const at = words.indexOf("--");
  if (typeof program !== "string" || at === -1) return false;
  const name = programName(program);
  if (name === "git") return true;
  const before = [program, ...words.slice(0, at + 1)].map(wordOf);
  if (!endsOptions(before, at + 1) || runsText(name) || Object.hasOwn(STARTERS, name)) return false;
  return isPlainProgram(name) || words.every((word) => typeof word !== "string" || word.startsWith("-"));
}

const wordOf = (word: CommandWord): Word =>
  typeof word === "string" ? { text: word, known: true } : { text: "", known: false };

const runsText = (name: string): boolean => /^(?:ba|da|a|)sh$/.test(name) || Object.hasOwn(INTERPRETERS, name);
