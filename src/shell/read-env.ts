import type { Word } from "../domain/touch.ts";
import { type Carrier, carried } from "./carrier.ts";
import type { Meaning } from "./meaning.ts";
import { reachOf } from "./reach-of.ts";
import { readProgram } from "./read-program.ts";

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
  const split = carried(ENV, unsplit(argv));
  if (typeof split === "string") {
    reader.say(split);
    return readProgram(reader, candidate, "env");
  }
  const text = split.options.get("S") ?? split.options.get("--split-string");
  if (text !== undefined) {
    if (text === null || !text.known || !PLAIN_SPLIT.test(text.text)) {
      reader.say("`env -S` splits a text in its own way");
      return readProgram(reader, candidate, "env");
    }
    const words = text.text.split(/[ \t]+/).filter((word) => word !== "");
    const rest = [...split.assignments, ...split.skipped, ...split.rest];
    const whole = [argv[0] as Word, ...words.map((word) => ({ text: word, known: true })), ...rest];
    return interpret(reader, { ...candidate, argv: whole, via: [...via, argv], depth: depth + 1 });
  }
  // Alone it shows the environment.
  if (split.rest.length === 0) return readProgram(reader, candidate, "env");
  const assigned = split.assignments.flatMap(({ text: set, known }) => {
    const equals = set.indexOf("=");
    const word = reachOf(reader, set.slice(0, equals), { text: set.slice(equals + 1), known }, "command");
    return word === null ? [] : [word];
  });
  const { folders } = reader;
  if (split.options.has("C") || split.options.has("--chdir")) reader.folders = null;
  interpret(reader, {
    ...{ argv: split.rest, env: [...env, ...assigned], external: true, stdin, depth: depth + 1 },
    via: [...via, argv],
  });
  reader.folders = folders;
};

/** `env -` is `env -i`. */
const unsplit = (argv: readonly Word[]): readonly Word[] =>
  argv[1]?.known === true && argv[1].text === "-"
    ? [argv[0] as Word, { text: "-i", known: true }, ...argv.slice(2)]
    : argv;
