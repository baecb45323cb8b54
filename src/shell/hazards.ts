import type { Word } from "../domain/touch.ts";
import type { Profile } from "./profile.ts";

/** The words of a command as its program reads them. */
export interface Scanned {
  /** The same words, those marked that make the program do what its name does not say. */
  readonly words: readonly Word[];
  /** Where its operands are, as far as its options can be read. */
  readonly operands: readonly number[];
}

export function scanned(profile: Profile, argv: readonly Word[]): Scanned {
  const options = optionsOf(profile);
  // Nothing to mark, and nobody who asks for operands: most words of most commands are not looked at.
  if (options.isHarmless && profile.files === undefined) return { words: argv, operands: NONE };
  const scan = new Scan(options, argv);
  const marked = scan.words();
  return { words: options.isHarmless ? argv : marked, operands: scan.operands };
}

const NONE: readonly never[] = [];

/** Where the operands of a command are, as far as its options can be read. */
export function operandsOf(profile: Profile, argv: readonly Word[]): readonly number[] {
  const scan = new Scan(optionsOf(profile), argv);
  scan.words();
  return scan.operands;
}

interface Options {
  readonly profile: Profile;
  /** From `-o` or `--output` to why it is a hazard. */
  readonly risky: ReadonlyMap<string, string>;
  /** Of those of one letter: the letter without its dash. */
  readonly byLetter: ReadonlyMap<string, string>;
  /** In order, so that those which begin with something stand together. */
  readonly longRisky: readonly string[];
  readonly strict: ReadonlySet<string> | null;
  readonly values: string;
  readonly longValues: ReadonlySet<string>;
  readonly subs: ReadonlySet<string> | null;
  readonly isHarmless: boolean;
}

const WHY = {
  runs: "makes the program run another one",
  writes: "makes the program write a file",
  deletes: "makes the program delete files",
  turns: "makes the program work with other files, settings or places",
} as const;

const UNKNOWN_WORD = "may be an option, which is known only at run time";

const named = (list: string | undefined): readonly string[] => list?.split(" ").filter((name) => name !== "") ?? [];

const known = new WeakMap<Profile, Options>();

function optionsOf(profile: Profile): Options {
  const found = known.get(profile);
  if (found !== undefined) return found;
  const made = madeOptions(profile);
  known.set(profile, made);
  return made;
}

function madeOptions(profile: Profile): Options {
  const risky = new Map<string, string>();
  for (const kind of ["turns", "writes", "deletes", "runs"] as const)
    for (const name of named(profile[kind])) risky.set(name, WHY[kind]);
  return {
    profile,
    risky,
    byLetter: new Map([...risky].filter(([name]) => name.length === 2).map(([name, why]) => [name.slice(1), why])),
    longRisky: [...risky.keys()].filter((name) => name.startsWith("--")).sort(),
    strict: profile.strict === undefined ? null : new Set(named(profile.strict)),
    values: profile.values ?? "",
    longValues: new Set(named(profile.longValues)),
    subs: profile.subs === undefined ? null : new Set(named(profile.subs)),
    isHarmless:
      risky.size === 0 && !profile.strict && !profile.sub && !profile.operands && !profile.subs && !profile.begins,
  };
}

/** One pass over the words of a command, as GNU programs read theirs: options anywhere, up to `--`. */
class Scan {
  readonly operands: number[] = [];
  #options: Options;
  readonly #argv: readonly Word[];
  #marked: Word[] | null = null;
  #isOver = false;
  /** The next word belongs to the option before it. */
  #isValue = false;
  #isAfterOption = false;
  #hasFirst = false;
  #isEntered = false;

  constructor(options: Options, argv: readonly Word[]) {
    this.#options = options;
    this.#argv = argv;
  }

  words(): readonly Word[] {
    for (let at = 1; at < this.#argv.length; at++) {
      const word = this.#argv[at] as Word;
      const isValue = this.#isValue;
      this.#isValue = false;
      const isOption = !this.#isOver && word.known && word.text.startsWith("-") && word.text !== "-";
      if (!word.known && isValue && word.many !== true) continue;
      if (!word.known) this.#dynamic(at, word);
      else if (isOption) this.#dashed(at, word.text);
      else if (!isValue) this.#operand(at, word.text);
      this.#hasFirst = !this.#isEntered && (this.#hasFirst || (!isOption && !this.#isAfterOption));
      this.#isEntered = false;
      this.#isAfterOption = isOption && !word.text.includes("=");
    }
    return this.#marked ?? this.#argv;
  }

  #mark(at: number, hazard: string): void {
    this.#marked ??= [...this.#argv];
    this.#marked[at] = { ...(this.#argv[at] as Word), hazard };
  }

  #dynamic(at: number, word: Word): void {
    this.operands.push(at);
    const { profile } = this.#options;
    if (!this.#isOver && mayBeOption(word)) this.#mark(at, UNKNOWN_WORD);
    else if (profile.operands !== undefined) this.#mark(at, profile.operands.why);
  }

  #operand(at: number, text: string): void {
    const index = this.operands.push(at) - 1;
    const { profile, subs } = this.#options;
    const { operands, sub } = profile;
    const isMeant = operands?.first === true ? !this.#hasFirst : index >= (operands?.from ?? 0);
    if (operands !== undefined && isMeant && (operands.pattern?.test(text) ?? true)) this.#mark(at, operands.why);
    if (index > 0 || this.#isOver || (sub === undefined && subs === null)) return;
    const chosen = sub !== undefined && Object.hasOwn(sub, text) ? sub[text] : undefined;
    if (chosen !== undefined) this.#enter(chosen);
    else if (subs !== null && !subs.has(text)) this.#mark(at, "is a subcommand of which nothing is known");
  }

  /** What holds for the subcommand holds from here on; the options before it were the program's own. */
  #enter(profile: Profile): void {
    this.#options = optionsOf(profile);
    // Its own operands are counted from here.
    this.operands.length = 0;
    this.#isEntered = true;
  }

  #dashed(at: number, text: string): void {
    const { profile } = this.#options;
    if (profile.begins?.test(text)) this.#mark(at, WHY.runs);
    if (profile.style === "single") this.#whole(at, text);
    else if (text === "--") this.#isOver = true;
    else if (text.startsWith("--")) this.#long(at, text);
    else this.#letters(at, text);
  }

  #whole(at: number, text: string): void {
    const name = text.replace(/=.*$/s, "").replace(/^--/, "-");
    const why = this.#options.risky.get(name);
    if (why !== undefined) this.#mark(at, why);
  }

  #long(at: number, text: string): void {
    const { risky, longRisky, strict, longValues } = this.#options;
    const equals = text.indexOf("=");
    const name = equals === -1 ? text : text.slice(0, equals);
    const exact = risky.get(name);
    if (exact !== undefined) this.#mark(at, exact);
    else if (strict !== null) {
      if (!strict.has(name)) this.#mark(at, "is an option of which nothing is known");
    } else {
      const full = longRisky[firstFrom(longRisky, name)];
      if (full?.startsWith(name)) this.#mark(at, risky.get(full) as string);
    }
    this.#isValue = equals === -1 && longValues.has(name);
  }

  #letters(at: number, text: string): void {
    const { risky, byLetter, strict, values } = this.#options;
    // `-TT` and `-iwr` are options of their own.
    const whole = risky.get(text);
    if (whole !== undefined) this.#mark(at, whole);
    for (let i = 1; i < text.length; i++) {
      const letter = text[i] as string;
      const why = byLetter.get(letter);
      if (why !== undefined) this.#mark(at, why);
      else if (strict !== null && !strict.has(`-${letter}`) && !strict.has(text))
        this.#mark(at, "is an option of which nothing is known");
      if (!values.includes(letter)) continue;
      this.#isValue = i === text.length - 1;
      return;
    }
  }
}

/** The place of the first that is not before `text`. */
function firstFrom(sorted: readonly string[], text: string): number {
  let [from, to] = [0, sorted.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((sorted[middle] as string) < text) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** Whether a word that is not known may begin with a dash, also as a later one of the words that it becomes. */
function mayBeOption({ text, many }: Word): boolean {
  const isAnchored = /^[\w./]/.test(text.replace(/^["']+/, ""));
  return !isAnchored || (many === true && /[$`]/.test(text));
}
