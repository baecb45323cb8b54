import type { Word } from "../domain/touch.ts";
import { mayStart } from "./hazard-reasons.ts";
import { launchedFrom } from "./launchers.ts";
import { isLanguage } from "./more-interpreters.ts";
import { ANYTHING, MORE, namedCommands } from "./named-commands.ts";
import { parseBash } from "./parse-bash.ts";
import { programName } from "./program-name.ts";
import { readScript } from "./read-script.ts";
import { staticText } from "./static-text.ts";

type Commands = readonly (readonly Word[])[];

const POSSIBLE_MAX = 50;
const TOLD_MAX = 4000;
const WORDS_MAX = 64;
const TEXT_MAX = 4096;

/**
 * What a command may start, for rules that deny or ask: every word of a launcher that may begin a command, every text
 * that may be one, and whatever is named from the first word on by which the program starts others. More than there
 * are, never less.
 */
export function possibleCommands(argv: readonly Word[]): Commands {
  const name = programName(argv[0]?.text ?? "");
  const from = launchedFrom(name, argv);
  const told = firstTold(argv);
  if (from === 0 && told === -1) return NONE;
  if (last.argv === argv) return last.commands;
  const commands = foundCommands(argv, from, told);
  last = { argv, commands };
  return commands;
}

const NONE: Commands = [];
/** Each rule that may be meant asks for them again, one after the other. A table of all that were found costs more than it saves. */
let last: { readonly argv: readonly Word[]; readonly commands: Commands } = { argv: [], commands: NONE };

function foundCommands(argv: readonly Word[], from: number, told: number): Commands {
  const launched = from === 0 ? NONE : launchedCommands(argv, from);
  const code = told === -1 ? firstCode(argv) : told;
  return code === -1 ? launched : [...launched, ...toldCommands(argv, code)];
}

/** The first word that makes the program start something; -1 = none does. */
function firstTold(argv: readonly Word[]): number {
  for (let at = 1; at < argv.length; at++) {
    const { hazard } = argv[at] as Word;
    if (hazard !== undefined && mayStart(hazard)) return at;
  }
  return -1;
}

/** `busybox awk …`: what is behind a language's name is code. */
const firstCode = (argv: readonly Word[]): number =>
  argv.findIndex(({ text, known }, at) => at > 0 && known && isLanguage(programName(text)));

function launchedCommands(argv: readonly Word[], from: number): Commands {
  const found: (readonly Word[])[] = [];
  for (let at = 1; at < argv.length; at++) {
    if (found.length >= POSSIBLE_MAX) return [...found, ANYTHING];
    const { text, known } = argv[at] as Word;
    if (!known) continue;
    const mayBegin = at >= from || text.startsWith("-");
    if (mayBegin && !text.startsWith("-")) found.push(argv.slice(at));
    if (/\s/.test(text)) found.push(...commandsIn(text));
    const equals = text.indexOf("=");
    if (equals === -1) continue;
    // `--exec=ls`, `ProxyCommand=ls`: a value may be a command as well.
    const value = text.slice(equals + 1);
    if (mayBegin && !value.startsWith("-")) found.push([{ text: value, known }, ...argv.slice(at + 1)]);
    if (/\s/.test(value)) found.push(...commandsIn(value));
  }
  return found;
}

/** `git -c core.pager=… log`: which of the words that follow is the command's is not asked. */
function toldCommands(argv: readonly Word[], told: number): Commands {
  const found: (readonly Word[])[] = [];
  for (let at = told; at < argv.length; at++) {
    if (found.length >= TOLD_MAX) return [...found, ANYTHING];
    const word = argv[at] as Word;
    if (word.known && at > told && !word.text.startsWith("-")) found.push(commandAt(argv, at));
    found.push(...namedCommands(word));
    if (word.known) found.push(...readCommands(word.text));
  }
  return found;
}

/** Of a very long line the beginning: all that follows may be there. */
const commandAt = (argv: readonly Word[], at: number): readonly Word[] =>
  argv.length - at > WORDS_MAX ? [...argv.slice(at, at + WORDS_MAX), MORE] : argv.slice(at);

/** What a text is begun by that another shell is given: `\! ls`, `core.pager=ls`, `|ls`, `copy … to program 'ls'`. */
const BEFORE_COMMAND = /[!|=`:]|\b(?:shell|system|program)\b/;
/** Without these a text is no more to a shell than the names in it. */
const QUOTES = /["'\\$]/;

/** Spelled as a shell reads it: `r\m x`, `sh -c 'ls'`. What stands behind such a mark in quotes, with them and without. */
function readCommands(text: string): Commands {
  if (text.length > TEXT_MAX || !QUOTES.test(text)) return NONE;
  const begun = text.split(BEFORE_COMMAND).flatMap((part) => [part, part.trim().replace(/^(["'])(.*)\1$/s, "$2")]);
  return [...new Set([text, ...begun])].flatMap((part) => (QUOTES.test(part) ? commandsRead(part) : NONE));
}

const commandsRead = (text: string): Commands =>
  readScript(text).commands.flatMap(({ argv, via }) => [argv, ...via, ...possibleCommands(argv)]);

/** With what is behind other commands in it, and with those that these may start. */
function commandsIn(text: string): Commands {
  if (text.length > TEXT_MAX) return [ANYTHING];
  return readScript(text).tooComplex === null ? [...commandsRead(text), ...firstCommands(text)] : [ANYTHING];
}

/** Those whose first word is known only at run time are no commands to the reader: here they may be what a rule names. */
function firstCommands(text: string): Commands {
  const found: (readonly Word[])[] = [];
  for (const { command } of parseBash(text).commands) {
    const simple = command.type === "Pipeline" || command.type === "AndOr" ? command.commands : [command];
    for (const one of simple) {
      if (one.type !== "Command" || one.name === undefined) continue;
      const words = [one.name, ...one.args.filter((part) => part.type === "Word")];
      found.push(words.map(({ text: raw }) => ({ text: staticText(raw) ?? raw, known: staticText(raw) !== null })));
    }
  }
  return found;
}
