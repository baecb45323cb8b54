import { NOT_KNOWN_HARMLESS, type Word } from "../domain/touch.ts";
import { STARTS } from "./hazard-reasons.ts";
import { HARMLESS, type Options, RISKY, startedOptions, TAKES_VALUE, UNKNOWN_OPTIONS, WHY } from "./program-options.ts";

const DASH = 0x2d;

const UNKNOWN_WORD = "may be an option, which is known only at run time";

/** The words of a command as its program reads them. */
export interface Scanned {
  /** The same words, those marked that make the program do what its name does not say. */
  readonly words: readonly Word[];
  /** Where its operands are, as far as its options can be read. */
  readonly operands: readonly number[];
}

/** Null = there is nothing to mark, and nobody asks for operands: most words of most commands are not looked at. */
export function scanned(options: Options, argv: readonly Word[]): Scanned | null {
  const { isHarmless, profile } = options;
  if (isHarmless && profile.files === undefined) return null;
  const scan = new Scan(options, argv);
  scan.run();
  return { words: isHarmless ? argv : scan.words, operands: scan.operands };
}

/** Where the operands of a command are, as far as its options can be read. */
export function operandsOf(options: Options, argv: readonly Word[]): readonly number[] {
  const scan = new Scan(options, argv);
  scan.run();
  return scan.operands;
}

/** Operands that a program may read as more options, commands or settings: `@file`, `+command`, `name=value`. */
const MAY_BE_OPTION = /^(?:[@+]|[A-Za-z_][\w.:-]*\+?=)/;

/** They only show something, whatever the program. */
const SHOWS: ReadonlySet<string> = new Set(["--help", "--version"]);

/** One pass over the words of a command, as GNU programs read theirs: options anywhere, up to `--`. */
class Scan {
  readonly operands: number[] = [];
  #options: Options;
  readonly #argv: readonly Word[];
  #marked: Word[] | null = null;
  #isOver = false;
  /** The next word belongs to the option before it. */
  #isValue = false;
  /** The next word is the name of a program. */
  #isModule = false;
  #isAfterOption = false;
  #hasFirst = false;
  #isEntered = false;

  constructor(options: Options, argv: readonly Word[]) {
    this.#options = options;
    this.#argv = argv;
  }

  get words(): readonly Word[] {
    return this.#marked ?? this.#argv;
  }

  run(): void {
    const argv = this.#argv;
    for (let at = 1; at < argv.length; at++) {
      const word = argv[at] as Word;
      const { text } = word;
      const isValue = this.#isValue;
      const isModule = this.#isModule;
      this.#isValue = false;
      this.#isModule = false;
      const isOption = !this.#isOver && word.known && text.charCodeAt(0) === DASH && text.length > 1;
      if (!word.known && isValue && !isModule && word.many !== true) {
        if (this.#options.profile.says !== undefined) this.#mark(at, STARTS.ownCommand);
        continue;
      }
      if (!word.known) this.#dynamic(at, word);
      else if (this.#options.profile.says?.test(text)) this.#said(at, isOption ? "option" : "operand");
      else if (isOption) this.#dashed(at, text);
      else if (isModule) this.#enter(startedOptions(text));
      else if (!isValue) this.#operand(at, text);
      this.#hasFirst = !this.#isEntered && (this.#hasFirst || (!isOption && !this.#isAfterOption));
      this.#isEntered = false;
      this.#isAfterOption = isOption && !text.includes("=");
    }
  }

  #mark(at: number, hazard: string): void {
    this.#marked ??= [...this.#argv];
    this.#marked[at] = { ...(this.#argv[at] as Word), hazard };
  }

  /** A reason that says more stays. */
  #markUnknown(at: number): void {
    if (this.words[at]?.hazard === undefined) this.#mark(at, NOT_KNOWN_HARMLESS);
  }

  /** What stands in a word counts, whatever option it is the value of, or is glued to. */
  #said(at: number, kind: "option" | "operand"): void {
    if (kind === "operand") this.operands.push(at);
    this.#mark(at, STARTS.ownCommand);
  }

  #dynamic(at: number, word: Word): void {
    this.operands.push(at);
    const { profile, harmless } = this.#options;
    if ((!this.#isOver || harmless === null) && mayBeOption(word)) {
      if (harmless !== null || word.hazard === undefined) this.#mark(at, UNKNOWN_WORD);
    } else if (profile.operands !== undefined) this.#mark(at, profile.operands.why);
    else if (profile.says !== undefined) this.#mark(at, STARTS.ownCommand);
    if (profile.another === "script" || profile.another === "program") this.#enter(UNKNOWN_OPTIONS);
  }

  #operand(at: number, text: string): void {
    const index = this.operands.push(at) - 1;
    const { profile, harmless, sub, subs } = this.#options;
    const { operands, another } = profile;
    if (profile.begins?.test(text)) this.#mark(at, WHY.runs);
    if (operands !== undefined) {
      const isMeant = operands.first === true ? !this.#hasFirst : index >= (operands.from ?? 0);
      if (isMeant && (operands.pattern?.test(text) ?? true)) this.#mark(at, operands.why);
    }
    if (harmless === null && MAY_BE_OPTION.test(text)) this.#markUnknown(at);
    if (index > 0) return;
    const chosen = sub?.get(text);
    if (chosen !== undefined) this.#enter(chosen);
    else if (subs?.has(text)) return;
    else if (subs !== null) {
      this.#mark(at, STARTS.unknownSubcommand);
      this.#enter(UNKNOWN_OPTIONS);
    } else if (another === "script") this.#enter(UNKNOWN_OPTIONS);
    else if (another === "program") this.#enter(startedOptions(text));
  }

  /** What holds for the subcommand holds from here on; the options before it were the program's own. */
  #enter(options: Options): void {
    this.#options = options;
    this.#isOver = false;
    // Its own operands are counted from here.
    this.operands.length = 0;
    this.#isEntered = true;
  }

  #dashed(at: number, text: string): void {
    const { profile, harmless } = this.#options;
    if (profile.begins?.test(text)) this.#mark(at, WHY.runs);
    else if (SHOWS.has(text) || profile.looks?.test(text)) return;
    if (harmless === null) this.#unknown(at, text);
    else if (text === "--" && profile.another === "--") this.#enter(UNKNOWN_OPTIONS);
    else if (profile.style === "single") this.#whole(at, text);
    else if (text === "--") this.#isOver = true;
    else if (text.charCodeAt(1) === DASH) this.#long(at, text);
    else this.#letters(at, text);
  }

  /** What little is known of it says more than that nothing is. */
  #unknown(at: number, text: string): void {
    if (this.#options.profile.style === "single") this.#whole(at, text);
    else if (text.charCodeAt(1) === DASH) this.#long(at, text);
    else this.#letters(at, text);
    this.#isValue = false;
    this.#markUnknown(at);
  }

  #whole(at: number, text: string): void {
    const equals = text.indexOf("=");
    const from = text.charCodeAt(1) === DASH && text.length > 2 ? 1 : 0;
    const name = equals === -1 && from === 0 ? text : text.slice(from, equals === -1 ? undefined : equals);
    const why = this.#options.risky.get(name);
    if (why !== undefined) this.#mark(at, why);
    else if (!this.#isHarmless(name)) this.#markUnknown(at);
  }

  #isHarmless(name: string): boolean {
    const { harmless } = this.#options;
    return harmless === "others" || harmless?.has(name) === true;
  }

  #long(at: number, text: string): void {
    const { risky, longRisky, longValues } = this.#options;
    const equals = text.indexOf("=");
    const name = equals === -1 ? text : text.slice(0, equals);
    const exact = risky.get(name);
    if (exact !== undefined) this.#mark(at, exact);
    else {
      const full = longRisky[firstFrom(longRisky, name)];
      if (full?.startsWith(name) && !this.#isNamed(name)) this.#mark(at, risky.get(full) as string);
      else if (!this.#isHarmless(name)) this.#markUnknown(at);
    }
    this.#isValue = equals === -1 && longValues.has(name);
  }

  /** By its whole name, so that it is no abbreviation of another one: `--color`, and not of `--color-program`. */
  #isNamed(name: string): boolean {
    const { harmless } = this.#options;
    return harmless !== "others" && harmless?.has(name) === true;
  }

  #letters(at: number, text: string): void {
    const { risky, letters, harmless, profile } = this.#options;
    // `-TT` and `-iwr` are options of their own.
    const whole = text.length > 2 ? risky.get(text) : undefined;
    if (whole !== undefined) this.#mark(at, whole);
    const isKnown = this.#isHarmless(text);
    for (let i = 1; i < text.length; i++) {
      const kind = letters[text.charCodeAt(i)] ?? 0;
      if ((kind & RISKY) !== 0) this.#mark(at, risky.get(`-${text[i]}`) as string);
      else if (harmless !== null && (kind & HARMLESS) === 0 && !isKnown) this.#markUnknown(at);
      if (profile.module === text[i]) {
        if (i === text.length - 1) this.#isModule = true;
        else this.#enter(startedOptions(text.slice(i + 1)));
        return;
      }
      if ((kind & TAKES_VALUE) === 0) continue;
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
