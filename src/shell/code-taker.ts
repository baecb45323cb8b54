import type { ClientActs } from "./client-acts.ts";
import type { CodeActs } from "./code-acts.ts";

/**
 * Where a program takes code from: text in a language of its own that can do more than be looked at, names of what it
 * runs, files with either. Names are separated by spaces; `-e` is a letter that may stand in a cluster, `--expression` a
 * long name that may be cut short.
 */
export interface CodeTaker {
  /** Options whose value is code, or names what is run. */
  readonly text?: string;
  /** Options whose value names a file with code, or with settings that say what is run. */
  readonly files?: string;
  /** Options whose value is code as well, or names it, beside the program that is still to come: `node -r`. */
  readonly loads?: string;
  /** Options with a value that is nothing of the kind, and those with two. */
  readonly values?: string;
  readonly pairs?: string;
  /** Letters whose value, if there is one, is glued to them: `sed -i.bak`. */
  readonly glued?: string;
  /** Options without a value, and those that can be told by how they look. */
  readonly flags?: string;
  readonly flagged?: RegExp;
  /** An interpreter or a carrier: an option that is not known may make code of anything that follows. */
  readonly strict?: true;
  /** `single`: long names stand behind one dash as well, and letters in no cluster. */
  readonly style?: "single";
  /** Its own options end at the first operand; behind that, and behind these, all are its program's. */
  readonly stops?: true;
  readonly ends?: string;
  /** Of the modules that may be given by `-m`, those to which all is data. */
  readonly modules?: RegExp;
  /** The operand that is its program, unless an option has given one; with `rest`, all from there on. */
  readonly operand?: number;
  readonly rest?: true;
  /** What such an operand is; else the name of a file. */
  readonly operandIs?: "text";
  /** Behind `--` operands are the names of files, and before it they may be commands. */
  readonly guarded?: true;
  /** `alone`: only where nothing else has given the program. An option that matches says so as well. */
  readonly stdin?: "always" | "alone" | RegExp;
  /** What code that is written out does beside changing its input. */
  readonly acts?: (code: string) => CodeActs;
  /** What the texts of a client say beside what is sent: commands of its own. */
  readonly says?: (text: string) => ClientActs;
  /** With these, operands are opened in a way that runs what they say: `perl -ne 1 'id |'`. */
  readonly magic?: RegExp;
  /** It looks for settings in the folder of each file that it is given, and runs them. */
  readonly beside?: true;
  /** An operand `@name` is a file with more options. */
  readonly listed?: true;
  /** A word with which the code can do no harm; what is loaded beside it is obeyed all the same. */
  readonly safe?: RegExp;
  /** Also where it is safe, a value is a whole statement or none: as a part of one it could change what the rest says. */
  readonly statements?: true;
  /** With this option, or this one and its value, its input is commands. */
  readonly told?: RegExp;
  /** With this one it is none all the same. */
  readonly untold?: string;
  /** The program can be a value, which nobody mistakes for anything else, but not hold one. */
  readonly whole?: true;
  /** Files that it runs without being told. */
  readonly unasked?: RegExp;
  /** It runs what it finds in the folder that it works in; `inline`: unless its program is a file. */
  readonly inFolder?: true | "inline";
  /** It pastes variables of the environment into what it runs. */
  readonly pastes?: true;
  /** Letters may stand without a dash in its first word: `tar cf`. */
  readonly dashless?: true;
  /** What stands behind `host:` is read by a shell over there. */
  readonly remote?: true;
  /** An operand that begins so is on another machine. */
  readonly elsewhere?: RegExp;
  /** Why a value can't be its program, where that is not plain. */
  readonly why?: string;
  readonly fix?: string;
}

/** Whether its input is commands by what it is told: an option by itself, or with its value. */
export function isTold(
  { told, untold }: CodeTaker,
  words: readonly { readonly text: string; readonly isStatic: boolean }[],
): boolean {
  const texts = words.map(({ text, isStatic }) => (isStatic ? text : ""));
  if (told === undefined || (untold !== undefined && texts.includes(untold))) return false;
  return texts.some((text, at) => told.test(text) || told.test(`${texts[at - 1]} ${text}`));
}
