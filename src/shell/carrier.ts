import type { Word } from "../domain/touch.ts";

/** A program that starts the command it is given. Every option has to be known: by one that is not, the rest is unclear. */
export interface Carrier {
  /** `through`: it adds nothing, and rules speak about the command behind it. `both`: rules speak about the two. */
  readonly mode: "through" | "both";
  /** Letters without a value, and letters with one. */
  readonly flags?: string;
  readonly values?: string;
  readonly longFlags?: string;
  readonly longValues?: string;
  /** Long names that take a value only behind a `=`: the word behind them is no part of them. */
  readonly longOptional?: string;
  /** How many operands come before the command. */
  readonly skip?: number;
  /** `NAME=value` may come before the command. */
  readonly assigns?: true;
  /** `-10` is an option. */
  readonly numbers?: true;
  /** Letters after which there is no command: it shows something, or works on a process that is there. */
  readonly alone?: string;
  /** Without a command it starts a shell, which reads its input. */
  readonly shell?: true;
  /** The letter without which it reads its words in another way. */
  readonly needs?: string;
  /** The letter whose value is a command where it begins with `|` or `!`. */
  readonly pipes?: string;
  /** Options that say where what is added goes, and those that undo it. Only the last of them all holds. */
  readonly places?: string;
  readonly undoes?: string;
  /** The same, unless the number behind it is 1. */
  readonly undoesBeyondOne?: string;
}

type Given = readonly [name: string, value: Word | null];

export interface Carried {
  readonly options: ReadonlyMap<string, Word | null>;
  /** The same in their order, and those that are given again. */
  readonly given: readonly Given[];
  readonly assignments: readonly Word[];
  /** What is skipped before the command. */
  readonly skipped: readonly Word[];
  readonly rest: readonly Word[];
}

/** Whatever holds a `=` is set, also `b+=1`. Unquoted, a value may become further words, and those a command. */
const isAssignment = ({ text, known, many }: Word): boolean =>
  many !== true && (known ? text.includes("=") : /^[A-Za-z_]\w*=/.test(text));

/** Splits the words of a carrier from those it carries; a text says why that can't be done. */
export function carried(carrier: Carrier, argv: readonly Word[]): Carried | string {
  const given: Given[] = [];
  let at = 1;
  for (; at < argv.length; at++) {
    const word = argv[at] as Word;
    if (carrier.assigns === true && isAssignment(word) && !word.text.startsWith("-")) break;
    if (!word.known) return `an option of \`${argv[0]?.text}\` is known only at run time`;
    if (word.text === "--") {
      at++;
      break;
    }
    if (!word.text.startsWith("-") || word.text === "-") break;
    const taken = word.text.startsWith("--") ? longOption(carrier, argv, at) : letters(carrier, argv, at);
    if (taken === null) return `\`${argv[0]?.text} ${word.text}\` is an option of which nothing is known`;
    given.push(...taken.found);
    at = taken.at;
  }
  const assignments: Word[] = [];
  for (let word = argv[at]; carrier.assigns === true && word !== undefined && isAssignment(word); word = argv[++at])
    assignments.push(word);
  const skipped = argv.slice(at, at + (carrier.skip ?? 0));
  const rest = argv.slice(at + (carrier.skip ?? 0));
  const options = new Map(given);
  const why = isUndone(carrier, given)
    ? "is told in two ways where to put what it adds"
    : unclear(carrier, options, rest[0]);
  return why === null ? { options, given, assignments, skipped, rest } : `\`${argv[0]?.text}\` ${why}`;
}

/** Where a carrier reads its words otherwise than its table says. */
function unclear(carrier: Carrier, options: Carried["options"], first: Word | undefined): string | null {
  // `flock a -c text`, `perf record -g ls`, `sudo a=b -u c ls`: no program has such a name.
  if (first?.text.startsWith("-")) return `has an option where a command should be: \`${first.text}\``;
  if (carrier.needs !== undefined && first !== undefined && !options.has(carrier.needs))
    return `has to say \`-${carrier.needs}\` for its command to be read`;
  const pipe = carrier.pipes === undefined ? undefined : options.get(carrier.pipes);
  return pipe && (!pipe.known || /^[|!]/.test(pipe.text)) ? `may run what stands behind \`-${carrier.pipes}\`` : null;
}

/** `xargs -I % -L 1`: a warning, and nothing is put in the place of `%`. */
function isUndone({ places, undoes, undoesBeyondOne }: Carrier, given: readonly Given[]): boolean {
  const placing = new Set(given.map(([name]) => name).filter((name) => has(places, name)));
  const last = given.findLast(
    ([name, value]) => placing.has(name) || has(undoes, name) || (has(undoesBeyondOne, name) && value?.text !== "1"),
  );
  return placing.size > 1 || (placing.size === 1 && !placing.has(last?.[0] ?? ""));
}

interface Taken {
  readonly found: readonly Given[];
  /** The last word that belongs to it. */
  readonly at: number;
}

const has = (list: string | undefined, name: string): boolean => list?.split(" ").includes(name) ?? false;

function longOption(carrier: Carrier, argv: readonly Word[], at: number): Taken | null {
  const { text } = argv[at] as Word;
  const equals = text.indexOf("=");
  const name = equals === -1 ? text : text.slice(0, equals);
  if (has(carrier.longFlags, name)) return equals === -1 ? { found: [[name, null]], at } : null;
  const isOptional = has(carrier.longOptional, name);
  if (isOptional && equals === -1) return { found: [[name, null]], at };
  if (!isOptional && !has(carrier.longValues, name)) return null;
  if (equals !== -1) return { found: [[name, { text: text.slice(equals + 1), known: true }]], at };
  const value = argv[at + 1];
  return value === undefined || value.many === true ? null : { found: [[name, value]], at: at + 1 };
}

function letters(carrier: Carrier, argv: readonly Word[], at: number): Taken | null {
  const { text } = argv[at] as Word;
  if (carrier.numbers === true && /^-\d+$/.test(text)) return { found: [], at };
  const found: [string, Word | null][] = [];
  for (let i = 1; i < text.length; i++) {
    const letter = text[i] as string;
    if (carrier.values?.includes(letter)) {
      if (i + 1 < text.length) return { found: [...found, [letter, { text: text.slice(i + 1), known: true }]], at };
      const value = argv[at + 1];
      return value === undefined || value.many === true ? null : { found: [...found, [letter, value]], at: at + 1 };
    }
    if (!carrier.flags?.includes(letter) && !carrier.alone?.includes(letter)) return null;
    found.push([letter, null]);
  }
  return { found, at };
}
