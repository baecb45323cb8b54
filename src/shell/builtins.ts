import type { Word } from "../domain/touch.ts";
import type { Meaning } from "./meaning.ts";
import { plain } from "./plain-meaning.ts";
import { readUnread } from "./read-unread.ts";
import type { ScriptReader } from "./script-reader.ts";
import { computes, declare, fills, tests } from "./variable-builtins.ts";

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
