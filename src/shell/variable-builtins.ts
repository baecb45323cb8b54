import type { Word } from "../domain/touch.ts";
import type { Meaning } from "./meaning.ts";
import { plain } from "./plain-meaning.ts";
import { reachOf } from "./reach-of.ts";
import { readComputedText } from "./read-arithmetic.ts";
import { readBuiltin } from "./read-program.ts";
import type { ScriptReader } from "./script-reader.ts";

// The builtins that name variables, fill them, or compute with them.

const NAME = /^[A-Za-z_]\w*$/;

/** A name that a builtin fills or looks at: a subscript in it is computed, and may run commands. */
function readName(reader: ScriptReader, { text, known }: Word): void {
  if (!known) return void reader.say(`a variable is named only at run time: \`${text}\``);
  const [name = "", subscript] = text.split(/\[(.*?)\]?$/s);
  if (!NAME.test(name)) return;
  reader.unsure.add(name);
  if (subscript !== undefined) reader.lists.add(name);
  if (subscript !== undefined && subscript !== "@" && subscript !== "*") readComputedText(reader, subscript);
  reachOf(reader, name, null, "shell");
}

/** What stands before the `=`. A subscript may have one of its own, and goes as far as it may. */
function assignedName(text: string): string {
  if (!/^\w+\[/.test(text)) return text.replace(/\+?=.*$/s, "");
  return /^.*\](?=\+?=)/s.exec(text)?.[0] ?? text;
}

/** `declare`, `local`, `readonly`, `export`: names and assignments, and what makes them more than that. */
export const declare =
  (risky: RegExp): Meaning =>
  (reader, candidate) => {
    const { argv } = candidate;
    const isList = argv.some(({ text }) => /^[-+][A-Za-z]*[aA]/.test(text));
    for (const { text, known } of argv.slice(1)) {
      const [, name, value] = /^(\w+)(?:\[.*?\])?(?:\+?=(.*))?$/s.exec(text) ?? [];
      if (name === undefined) continue;
      if (isList) reader.lists.add(name);
      // Of a list, a value that begins with a parenthesis is the whole list, and what stands in it is run. Here `x=(a b)` is
      // not known and begins with one, while `x='(a b)'` is known, and `x="$v"` is not and begins with something else.
      if (known && value?.trimStart().startsWith("(")) reader.say(`\`${argv[0]?.text}\` makes values into code`);
      else if (!known && value !== undefined && !value.startsWith("(")) reader.declared.add(name);
    }
    const isExport = argv[0]?.text === "export" || argv.some(({ text }) => /^-[A-Za-z]*x/.test(text));
    const marked = argv.map((word, at): Word => {
      if (at === 0 || word.hazard !== undefined) return word;
      if (/^[-+]/.test(word.text)) {
        if (!word.known || risky.test(word.text))
          reader.say(`\`${argv[0]?.text} ${word.text}\` makes values into code`);
        return word;
      }
      const name = assignedName(word.text);
      const isAssignment = name !== word.text;
      if (!word.known && !/^[A-Za-z_]\w*(?:\[[\w@*]*\])?$/.test(name)) readName(reader, word);
      // What is exported is judged as a word of the command. Behind `command` and in quotes an assignment is no more than a word
      // to the parser, so that nobody has read it yet.
      else if (!isAssignment || !isExport || name.includes("[")) readName(reader, { text: name, known: true });
      else reader.unsure.add(name);
      return isExport && NAME.test(name)
        ? reachOf(reader, name, null, "exported") === null
          ? word
          : exported(word)
        : word;
    });
    readBuiltin(reader, { ...candidate, argv: marked });
  };

const LIST_FILLERS: ReadonlySet<string> = new Set(["mapfile", "readarray"]);

const exported = (word: Word): Word => ({ ...word, hazard: "sets a variable that programs may act on" });

interface Filling {
  /** Letters of options that have a value, in the same word or the next one. */
  readonly values?: string;
  /** The letter of the one that names a variable. */
  readonly named?: string;
  /** What the words behind the options are. */
  readonly operands: "names" | "texts";
  readonly risky?: RegExp;
}

/** Fills variables: those behind an option, or all that stand behind the options. */
export const fills =
  ({ values = "", named = "", operands, risky }: Filling): Meaning =>
  (reader, candidate, interpret) => {
    plain(reader, candidate, interpret);
    const [{ text: builtin } = { text: "" }, ...words] = candidate.argv;
    let at = 0;
    for (; at < words.length; at++) {
      const { text, known } = words[at] as Word;
      if (!known || !/^-./.test(text)) break;
      if (risky?.test(text)) reader.say(`\`${builtin} ${text}\` runs commands`);
      const [, letter = "", glued = ""] =
        (values !== "" && new RegExp(`^-[^${values}]*([${values}])(.*)$`, "s").exec(text)) || [];
      const value: Word | undefined = letter === "" || glued !== "" ? { text: glued, known } : words[++at];
      // Of several words only the first is the option's.
      if (value?.many === true) readName(reader, value);
      if (letter !== "" && letter === named && value !== undefined) {
        if (builtin === "read") reader.lists.add(value.text);
        readName(reader, value);
      }
      if (text === "--") {
        at++;
        break;
      }
    }
    const rest = words.slice(at);
    if (operands === "names")
      for (const word of rest) {
        if (LIST_FILLERS.has(builtin)) reader.lists.add(word.text);
        readName(reader, word);
      }
    // What is put together at run time may turn out to be an option.
    else if (rest[0]?.known === false && !/^["']*[^-$`"'\\]/.test(rest[0].text)) readName(reader, rest[0]);
    if (builtin === "printf") readFormat(reader, rest);
    if (builtin === "read") reader.unsure.add("REPLY");
    if (LIST_FILLERS.has(builtin)) reader.unsure.add("MAPFILE");
  };

/** `printf '%n' PATH` puts the number of characters so far into the variable. */
const COUNTS_INTO = /%[-+ #'0-9.*]*[hlLjztq]*n/;

function readFormat(reader: ScriptReader, [format, ...texts]: readonly Word[]): void {
  if (format === undefined || (format.known && !COUNTS_INTO.test(format.text.replaceAll("%%", "")))) return;
  if (format.many === true) readName(reader, format);
  for (const text of texts) readName(reader, text);
}

export const computes: Meaning = (reader, candidate, interpret) => {
  plain(reader, candidate, interpret);
  for (const { text, known } of candidate.argv.slice(1)) {
    if (known) readComputedText(reader, text);
    else reader.say("it computes with text that is known only at run time");
  }
};

/** `test -v a[$(x)]` runs x. */
export const tests: Meaning = (reader, candidate, interpret) => {
  plain(reader, candidate, interpret);
  const { argv } = candidate;
  for (let at = 1; at < argv.length; at++) {
    const { text, known, many } = argv[at] as Word;
    const next = argv[at + 1];
    if (known && (text === "-v" || text === "-R") && next !== undefined) testName(reader, next);
    if (known) continue;
    // What is split into words may be `-v` and a name; so may one word before another, where no operator stands between.
    const isAlone = next === undefined || next.text === "]" || (next.known && BINARY.test(next.text));
    if (many === true) reader.say(`what is tested is known only at run time: \`${text}\``);
    if (!isAlone && !/^["']?[^-$`"'\\]/.test(text))
      reader.say(`a name is tested, if \`${text}\` turns out to be an option`);
  }
};

/** Of `test`: what stands before one is text, whatever it looks like. */
const BINARY = /^(?:=|==|!=|<|>|-(?:eq|ne|lt|le|gt|ge|nt|ot|ef|a|o))$/;

function testName(reader: ScriptReader, { text, known }: Word): void {
  if (!known) reader.say(`a variable is named only at run time: \`${text}\``);
  else if (text.includes("[")) readComputedText(reader, text.slice(text.indexOf("[") + 1).replace(/\]$/, ""));
}
