import type { FlowingCommand, FlowingWord } from "./flow-uses.ts";
import { programName } from "./program-name.ts";
import { ARGUMENTS, type Flow, flowOf, mergedAll, type Variables } from "./value-flow.ts";

type Values = ReadonlySet<number>;

const NAME = /^[A-Za-z_]\w*$/;
const DECLARES = /^(?:declare|typeset|local|readonly|export)$/;
const SHELLS = /^(?:eval|trap|bash|sh|dash|ash|zsh|ksh|mksh)$/;
/** `env X=…`, `docker exec -e X=…`. */
const SET = /^["']?(?:-e|--env=)?["']?([A-Za-z_]\w*)=/;

/** The texts among a command's words that a shell, `eval` or `trap` reads: what stands behind its name and is no plain word, and its input. */
export function scriptsIn(
  words: readonly FlowingWord[],
  input: string,
  textIn: (word: FlowingWord) => string | null,
): readonly string[] {
  const [first] = words;
  const isSourced = first !== undefined && (first.text === "." || first.text === "source");
  const shell = words.findIndex(({ text, isStatic }) => isStatic && SHELLS.test(programName(text)));
  const rest =
    shell === -1 ? [] : words.slice(shell + 1).filter(({ text, isStatic }) => isStatic && !/^[-+]/.test(text));
  const run = shell !== -1 || isSourced ? words : first?.text.includes("/") ? [first] : [];
  const isTrap = words[shell]?.text === "trap";
  const isAll = isTrap || words[shell]?.text === "eval";
  const behind = words.slice(shell + 1);
  const isText = shell !== -1 && behind.some(({ text }) => /^-[a-zA-Z]*c/.test(text));
  // Of a trap only its first word is a script: the others are names of signals.
  const trapped = isTrap ? behind.find(({ text }) => !/^[-+]/.test(text)) : undefined;
  const script = isTrap ? trapped : isAll || isText ? rest[0] : undefined;
  const isAlone = behind.every(({ text }) => /^[-+]/.test(text));
  const isRead = shell !== -1 && !isAll && (isAlone || words.some(({ text }) => /^-[a-z]*s/.test(text)));
  const read = isRead && input.trim() !== "" ? [input] : [];
  return [
    ...run.flatMap((word) => textIn(word) ?? []),
    ...read,
    ...rest.flatMap((word) => (word === script || (!isTrap && /[^\w./{};%@:,]/.test(word.text)) ? [word.text] : [])),
  ];
}

/** `PATH=./bin:$PATH`: programs are looked for where the script stands then. */
export const setsRelativePath = (name: string, text: string): boolean =>
  name === "PATH" &&
  text
    .replace(/^PATH\+?=/, "")
    .replace(/["']/g, "")
    .split(":")
    .some((entry) => !/^[/$~]/.test(entry));

export const namesIn = (words: readonly FlowingWord[]): readonly string[] =>
  words.flatMap(({ text, isStatic }) => (isStatic && NAME.test(text) ? [text] : []));

/** Which variables a command sets, and to what. `others`: what was opened under other numbers. */
export function filledVariables(
  { called, words, isFunction }: FlowingCommand,
  fed: Values,
  others: Values,
  args: Values,
): readonly (readonly [string, Flow])[] {
  const [, ...rest] = words;
  const names = namesIn(rest);
  const isShell = words.some(({ text, isStatic }) => isStatic && SHELLS.test(programName(text)));
  const given = mergedAll(rest.map(({ flow }) => flow));
  const input = rest.some(({ text }) => /^-[a-zA-Z]*u/.test(text)) ? fed.union(others) : fed;
  const all = (list: readonly string[], values: Values) => list.map((name) => [name, flowOf(values)] as const);
  const set: (readonly [string, Flow])[] = [["_", flowOf(given.holds)]];
  if (DECLARES.test(called))
    for (const { raw, flow } of rest) {
      const [, name] = /^["']?([A-Za-z_]\w*)\+?=/.exec(raw) ?? [];
      if (name !== undefined) set.push([name, flowOf(flow.holds)]);
    }
  if (called === "read") set.push(...all([...names, "REPLY"], input));
  else if (called === "mapfile" || called === "readarray") set.push(...all([...names, "MAPFILE"], input));
  else if (called === "getopts") set.push(...all([...names, "OPTARG"], args.union(given.holds)));
  else if (called === "printf" && rest[0]?.text.startsWith("-v"))
    set.push(...all([...names, rest[0].text.slice(2)], given.holds));
  else if (isFunction || called === "set" || isShell) set.push([ARGUMENTS, given]);
  if (isShell)
    for (const { raw, flow } of rest) {
      const [, name] = SET.exec(raw) ?? [];
      if (name !== undefined) set.push([name, flowOf(flow.holds)]);
    }
  if (words.some(({ text, isStatic }) => isStatic && text === "xargs")) set.push([ARGUMENTS, flowOf(fed)]);
  return set;
}

/** `export x`, `declare -x x`. */
export const isExporting = ({ called, words }: FlowingCommand): boolean =>
  called === "export" ||
  (/^(?:declare|typeset|local|readonly)$/.test(called) &&
    words.slice(1).some(({ text, isStatic }) => !isStatic || /^-[A-Za-z]*x/.test(text)));

/** What `export x=…` and `export x` give to programs. */
export const exported = (given: Flow, names: readonly string[], { variable }: Pick<Variables, "variable">): Values =>
  names.reduce((values, name) => values.union(variable(name).holds), given.holds);
