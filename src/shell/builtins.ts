import type { Word } from "../domain/touch.ts";
import type { Meaning } from "./meaning.ts";
import { reachOf } from "./reach-of.ts";
import { readComputedText } from "./read-arithmetic.ts";
import { readProgram } from "./read-program.ts";
import { readUnread } from "./read-unread.ts";
import type { ScriptReader } from "./script-reader.ts";

const plain: Meaning = (reader, candidate) => readProgram(reader, candidate, (candidate.argv[0] as Word).text);

/** The command itself, and that nobody knows what follows from it. */
const unknown =
  (why: string): Meaning =>
  (reader, candidate, interpret) => {
    plain(reader, candidate, interpret);
    reader.say(why);
  };

const move: Meaning = (reader, candidate, interpret) => {
  plain(reader, candidate, interpret);
  const operands = candidate.argv.slice(1).filter(({ text }) => !/^-(?:[LPe@]+|-)$/.test(text));
  const [to] = operands;
  const isPlain = operands.length === 1 && to?.known === true && to.text !== "" && !/^[-+~]/.test(to.text);
  reader.move(isPlain && isUpwardsOnly(to.text, reader) ? to.text : null);
};

/** Bash forgets about links where it goes up, and the kernel does not: only from where the script began is it the same. */
const isUpwardsOnly = (to: string, { folders }: ScriptReader): boolean =>
  !/(?:^|\/)\.\.(?:\/|$)/.test(to) || (/^(?:\.\.\/)*\.\.$/.test(to) && folders?.length === 1 && folders[0] === "");

const evaluate: Meaning = (reader, candidate) => {
  const { argv, env, via } = candidate;
  const words = argv.slice(1).filter((word, index) => index > 0 || word.text !== "--");
  const unknownWord = words.find(({ known }) => !known);
  if (unknownWord !== undefined) return reader.say(`a script is known only at run time: \`${unknownWord.text}\``);
  const { outer } = reader;
  const inner = { env: [...outer.env, ...env], via: [...outer.via, ...via, argv] };
  reader.text(words.map(({ text }) => text).join(" "), reader.dialect, "here", inner);
  // Whether the text goes well says nothing of a `cd` in it.
  reader.moved = null;
};

const trap: Meaning = (reader, candidate, interpret) => {
  plain(reader, candidate, interpret);
  const [code, ...signals] = candidate.argv.slice(1).filter(({ text }) => text !== "--");
  // One word may become two, and the first of those is code.
  if (code?.many === true) return reader.say(`a script is known only at run time: \`${code.text}\``);
  if (code === undefined || signals.length === 0 || /^-[lp]?$/.test(code.text)) return;
  if (!code.known) return reader.say(`a script is known only at run time: \`${code.text}\``);
  reader.hasTrap = true;
  reader.text(code.text, reader.dialect, "repeated");
};

/** `command`, `builtin`, `exec`: the rest is the command. */
const carries =
  (flags: RegExp, values: string, external: boolean): Meaning =>
  (reader, candidate, interpret) => {
    const { argv, via, depth } = candidate;
    let at = 1;
    for (; at < argv.length; at++) {
      const { text, known } = argv[at] as Word;
      if (!known || !text.startsWith("-") || text === "-") break;
      if (text === "--") {
        at++;
        break;
      }
      // `command -v ls` only tells where it is.
      if (/^-p*[vV]/.test(text) && !external) return plain(reader, candidate, interpret);
      if (text === values && values !== "") at++;
      else if (!flags.test(text)) {
        const name = (argv[0] as Word).text;
        return readUnread(reader, candidate, name, `\`${name} ${text}\` is an option of which nothing is known`);
      }
    }
    const rest = argv.slice(at);
    if (rest.length > 0)
      interpret(reader, { ...candidate, argv: rest, external, via: [...via, argv], depth: depth + 1 });
  };

const HARMLESS_SHOPTS =
  /^(?:nullglob|globstar|dotglob|failglob|nocaseglob|nocasematch|pipefail|inherit_errexit|lastpipe|checkwinsize|globasciiranges|globskipdots|huponexit|localvar_inherit|login_shell|mailwarn|progcomp|shift_verbose|interactive_comments)$/;

const shopt: Meaning = (reader, candidate, interpret) => {
  plain(reader, candidate, interpret);
  for (const { text, known } of candidate.argv.slice(1)) {
    if (known && (/^-[supqo]+$/.test(text) || HARMLESS_SHOPTS.test(text) || SET_NAMES.test(text))) continue;
    reader.say(`\`shopt ${text}\` changes how bash reads the rest`);
  }
};

const SET_NAMES =
  /^(?:errexit|nounset|xtrace|verbose|pipefail|noglob|noclobber|errtrace|functrace|monitor|notify|hashall|physical|noexec|braceexpand)$/;

const set: Meaning = (reader, candidate, interpret) => {
  plain(reader, candidate, interpret);
  const words = candidate.argv.slice(1);
  for (let at = 0; at < words.length; at++) {
    const { text, known } = words[at] as Word;
    if (text === "--" || text === "-") return;
    if (!known) return reader.say("options of the shell are known only at run time");
    if (!/^[-+]/.test(text)) return;
    const letters = text.slice(1);
    if (/[ak]/.test(letters)) reader.allExported = true;
    if (/[^euxvfhmnbBCETPpo]/.test(letters)) reader.say(`\`set ${text}\` changes how bash reads the rest`);
    if (letters.includes("o")) {
      const name = words[++at];
      if (name !== undefined && (!name.known || !SET_NAMES.test(name.text)))
        reader.say(`\`set -o ${name.text}\` changes how bash reads the rest`);
    }
  }
};

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
const declare =
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
    readProgram(reader, { ...candidate, argv: marked }, argv[0]?.text ?? "");
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
const fills =
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

const computes: Meaning = (reader, candidate, interpret) => {
  plain(reader, candidate, interpret);
  for (const { text, known } of candidate.argv.slice(1)) {
    if (known) readComputedText(reader, text);
    else reader.say("it computes with text that is known only at run time");
  }
};

/** `test -v a[$(x)]` runs x. */
const tests: Meaning = (reader, candidate, interpret) => {
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

const onlyWith =
  (pattern: RegExp, why: string): Meaning =>
  (reader, candidate, interpret) => {
    plain(reader, candidate, interpret);
    if (candidate.argv.slice(1).some(({ text, known }) => !known || pattern.test(text))) reader.say(why);
  };

const SHADOWS = "an alias changes what later words mean";

/** All builtins of bash 5.3, and what each can do to the rest of the script. */
export const BUILTINS: ReadonlyMap<string, Meaning> = new Map<string, Meaning>([
  ...": true false pwd echo type hash help times ulimit umask kill jobs bg fg disown wait shift return exit break continue logout suspend caller dirs getopts history unalias compopt popd"
    .split(" ")
    .map((name): [string, Meaning] => [name, plain]),
  ["cd", move],
  ["pushd", move],
  [
    "popd",
    (reader, candidate, interpret) => {
      plain(reader, candidate, interpret);
      reader.move(null);
    },
  ],
  ["eval", evaluate],
  ["source", unknown("commands are read from a file")],
  [".", unknown("commands are read from a file")],
  // Behind `exec -c` and `command -p` programs are looked for elsewhere than in the `PATH` that was judged.
  ["exec", carries(/^-l+$/, "-a", true)],
  ["command", carries(/^$/, "", false)],
  ["builtin", carries(/^$/, "", false)],
  ["trap", trap],
  ["alias", onlyWith(/=/, SHADOWS)],
  ["enable", onlyWith(/./, "builtins are switched or loaded")],
  ["hash", onlyWith(/^-[a-z]*[pd]/, "a command is tied to a file")],
  ["set", set],
  ["shopt", shopt],
  ["declare", declare(/^-[A-Za-z]*[inf]/)],
  ["typeset", declare(/^-[A-Za-z]*[inf]/)],
  ["local", declare(/^-[A-Za-z]*[inf]/)],
  ["readonly", declare(/^-[A-Za-z]*[inf]/)],
  ["export", declare(/^-[A-Za-z]*f/)],
  ["read", fills({ values: "adinNptu", named: "a", operands: "names" })],
  ["mapfile", fills({ values: "dnOsuCc", operands: "names", risky: /^-[^-]*C/ })],
  ["readarray", fills({ values: "dnOsuCc", operands: "names", risky: /^-[^-]*C/ })],
  ["getopts", fills({ operands: "names" })],
  ["unset", fills({ operands: "names" })],
  ["printf", fills({ values: "v", named: "v", operands: "texts" })],
  ["wait", fills({ values: "p", named: "p", operands: "texts" })],
  ["let", computes],
  ["test", tests],
  ["[", tests],
  ["bind", unknown("keys are bound to commands")],
  ["complete", unknown("a completion may run commands")],
  ["compgen", unknown("a completion may run commands")],
  ["fc", unknown("commands are taken from the history")],
  ["history", onlyWith(/^-/, "the history is read from or written to a file")],
  ["jobs", onlyWith(/^-[^-]*x/, "it runs a command in its own way")],
]);
