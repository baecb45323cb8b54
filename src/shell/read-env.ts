import type { Word } from "../domain/touch.ts";
import { assignedBy } from "./assigned-by.ts";
import { type Carried, type Carrier, carried } from "./carrier.ts";
import type { Meaning } from "./meaning.ts";
import { reachOf } from "./reach-of.ts";
import { readProgram } from "./read-program.ts";
import { readUnread } from "./read-unread.ts";
import type { ScriptReader } from "./script-reader.ts";

export const ENV: Carrier = {
  mode: "through",
  flags: "i0v",
  values: "uCS",
  longFlags: "--ignore-environment --null --debug --list-signal-handling",
  longValues: "--unset --chdir --split-string",
  longOptional: "--block-signal --default-signal --ignore-signal",
  assigns: true,
};

/** What `env -S` splits at blanks and leaves as it is; it has quotes, escapes and variables of its own. */
const PLAIN_SPLIT = /^[\w@%+=:,./ \t-]*$/;

export const readEnv: Meaning = (reader, candidate, interpret) => {
  const { argv, env, via, stdin, depth } = candidate;
  const whole = unsplit(argv);
  if (whole !== null) return interpret(reader, { ...candidate, argv: whole, via: [...via, argv], depth: depth + 1 });
  const split = unlessSplitting(carried(ENV, dashed(argv)));
  if (typeof split === "string") return readUnread(reader, candidate, "env", split);
  // Alone it shows the environment.
  if (split.rest.length === 0) return readProgram(reader, candidate, "env");
  const assigned = split.assignments.flatMap((word) => assignedBy(reader, word));
  const taken = unsetBy(reader, split);
  const { folders } = reader;
  if (split.options.has("C") || split.options.has("--chdir")) reader.folders = null;
  interpret(reader, {
    ...{ argv: split.rest, env: [...env, ...taken, ...assigned], external: true, stdin, depth: depth + 1 },
    via: [...via, argv],
  });
  reader.folders = folders;
};

/** To rules, a variable that is not there is one that holds nothing. */
const EMPTY: Word = { text: "", known: true };

/** What is taken away is set as well: without a `PATH`, bash looks for programs in the folder that it stands in, too. */
function unsetBy(reader: ScriptReader, { given }: Carried): readonly Word[] {
  const names = given.filter(([name]) => name === "u" || name === "--unset").map(([, value]) => value);
  if (given.some(([name]) => name === "i" || name === "--ignore-environment"))
    reader.say("`env -i` takes away `PATH`, by which programs are found");
  return names.flatMap((name) => {
    if (name?.known !== true) reader.say("`env` unsets a variable that is known only at run time");
    return reachOf(reader, name?.text ?? "", EMPTY, "command") ?? [];
  });
}

/** `-S text`, `-iStext`, `--split-string=text`; the text of the first may be the next word. */
const SPLIT = /^(-[iv0]*S|--split-string(?:=|$))(.*)$/s;
const FLAG = /^-[iv0]+$/;

/**
 * The words that `env -S` goes on with: what it splits takes the place of the option, and more options may stand in it and
 * behind it. Null = it is not among the first options, or the text is not plain.
 */
function unsplit(argv: readonly Word[]): readonly Word[] | null {
  const at = argv.findIndex(({ text, known }, index) => index > 0 && !(known && FLAG.test(text)));
  const option = argv[at];
  const [, name = "", glued = ""] = (option?.known === true && SPLIT.exec(option.text)) || [];
  if (name === "") return null;
  const isGlued = glued !== "" || name.endsWith("=");
  const text = isGlued ? { text: glued, known: true } : argv[at + 1];
  if (text?.known !== true || !PLAIN_SPLIT.test(text.text)) return null;
  const words = text.text.split(/[ \t]+/).filter((word) => word !== "");
  const flags = name.startsWith("--") ? "" : name.slice(1, -1);
  return [
    ...argv.slice(0, at),
    ...(flags === "" ? [] : [{ text: `-${flags}`, known: true }]),
    ...words.map((word) => ({ text: word, known: true })),
    ...argv.slice(isGlued ? at + 1 : at + 2),
  ];
}

const unlessSplitting = (split: Carried | string): Carried | string =>
  typeof split !== "string" && (split.options.has("S") || split.options.has("--split-string"))
    ? "`env -S` splits a text in its own way"
    : split;

/** `env -` is `env -i`. */
const dashed = (argv: readonly Word[]): readonly Word[] =>
  argv[1]?.known === true && argv[1].text === "-"
    ? [argv[0] as Word, { text: "-i", known: true }, ...argv.slice(2)]
    : argv;
