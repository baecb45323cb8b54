import type { Word } from "../domain/touch.ts";
import { STARTS } from "./hazard-reasons.ts";

type Commands = readonly (readonly Word[])[];

/** Any number of words, whatever they are. */
export const MORE: Word = { text: "…", known: false, many: true };
/** Where there is more than is looked at: whatever a rule names may be among it. */
export const ANYTHING: readonly Word[] = [{ text: "…", known: false }, MORE];

/** What may be a name, an option or a path, in whatever language. */
const PART = /[^\s"'`$(){}[\];|&<>!\\,=:%@#?*^~]+/g;
const PARTS_MAX = 4000;
const WORDS_MAX = 12;

/**
 * The commands that a text in some other language may start: what it names may be the program, and what follows its
 * arguments. Not understood, only looked through: a name that such a text puts together is not found.
 */
export function namedCommands({ text, known, hazard }: Word): Commands {
  if (hazard === STARTS.sedInput) return [ANYTHING];
  const parts = text.match(PART) ?? [];
  if (parts.length > PARTS_MAX) return [ANYTHING];
  const words = parts.map((part): Word => ({ text: part, known: true }));
  // Of a text that is known only at run time, what stands behind a name is not known either.
  const found = words.map((word, at) => (known ? [...words.slice(at, at + WORDS_MAX), MORE] : [word, MORE]));
  return GLUED.test(text) ? [...found, ...gluedCommands(words)] : found;
}

/** `-Orm x`, `-aerm x`: where the letters end and a value begins is not asked. */
const GLUED = /^-[A-Za-z]{2}/;
const LETTERS_MAX = 6;

function gluedCommands([first, ...rest]: readonly Word[]): Commands {
  const text = first?.text ?? "";
  const ends = Array.from({ length: Math.min(LETTERS_MAX, text.length - 2) }, (_, at) => at + 2);
  return ends.map((end) => [{ text: text.slice(end), known: true }, ...rest.slice(0, WORDS_MAX), MORE]);
}
