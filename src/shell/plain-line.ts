import type { Word } from "../domain/touch.ts";

/**
 * Lines of plain words, read without the parser: more than half of the commands that people use are such, and the parser
 * takes longer for one than all of the rules do. What stands here is no second opinion on bash. It takes only what can mean one thing to any
 * shell: words of letters, digits and a few signs, or in quotes that nothing is expanded in, with `;`, `|`, `&&` and `||`
 * between. Whatever else there is in a line, a character or a word of the grammar, leaves all of it to the parser.
 */
export interface PlainCommand {
  readonly type: "Plain";
  readonly argv: readonly Word[];
}

export interface PlainPipeline {
  readonly type: "Pipeline";
  readonly commands: readonly PlainCommand[];
}

export interface PlainAndOr {
  readonly type: "AndOr";
  readonly commands: readonly (PlainCommand | PlainPipeline)[];
  readonly operators: readonly ("&&" | "||")[];
}

export interface PlainStatement {
  readonly command: PlainCommand | PlainPipeline | PlainAndOr;
  readonly background: undefined;
}

export interface PlainScript {
  readonly commands: readonly PlainStatement[];
  readonly errors: undefined;
}

/** Null = it has something that the parser has to look at. */
export function plainScript(source: string): PlainScript | null {
  const commands = new Line(source).statements();
  return commands === null ? null : { commands, errors: undefined };
}

/** Kinds of characters. Zero is none of them: also what is not ASCII, and each control character but a tab. */
const IN_NAME = 1;
const IN_WORD = 2;
const BLANK = 3;
const OPERATOR = 4;
const SINGLE = 5;
const DOUBLE = 6;

const KINDS = new Uint8Array(128);
/** In double quotes: a letter. In single quotes so are all that can be printed. */
const LETTER_IN_QUOTES = new Uint8Array(128);
for (let code = 0x20; code < 0x7f; code++) LETTER_IN_QUOTES[code] = 1;

const NAMES = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./-";
for (const [characters, kind] of [
  [NAMES, IN_NAME],
  ["=:,@%+", IN_WORD],
  [" \t", BLANK],
  [";|&", OPERATOR],
  ["'", SINGLE],
  ['"', DOUBLE],
] as const)
  for (const character of characters) KINDS[character.charCodeAt(0)] = kind;
for (const character of '"$`\\!') LETTER_IN_QUOTES[character.charCodeAt(0)] = 0;

/** What begins something else than a command, and builtins whose arguments the grammar itself looks into. */
const NOT_COMMANDS: ReadonlySet<string> = new Set(
  `if then else elif fi do done for while until in case esac function select coproc time
  declare typeset local readonly export eval let alias`.split(/\s+/),
);

/** Redirections that open no file and feed nothing, so that a reading is the same without them. */
const WITHOUT_EFFECT = ["2>&1", "2>/dev/null"] as const;

const SEMICOLON = 0x3b;
const AMPERSAND = 0x26;
const TWO = 0x32;
const QUOTE = 0x27;

type Operator = "end" | ";" | "|" | "&&" | "||" | "other";

class Line {
  readonly #source: string;
  #at = 0;
  /** What ended the command that was read last. */
  #operator: Operator = "end";

  constructor(source: string) {
    this.#source = source;
  }

  statements(): readonly PlainStatement[] | null {
    const first = this.#andOr();
    if (first === null) return null;
    const statements: PlainStatement[] = [{ command: first, background: undefined }];
    while (this.#operator === ";" && !this.#isOver()) {
      const command = this.#andOr();
      if (command === null) return null;
      statements.push({ command, background: undefined });
    }
    return this.#operator === "end" || this.#operator === ";" ? statements : null;
  }

  #andOr(): PlainStatement["command"] | null {
    const first = this.#pipeline();
    if (first === null || (this.#operator !== "&&" && this.#operator !== "||")) return first;
    const commands = [first];
    const operators: ("&&" | "||")[] = [];
    while (this.#operator === "&&" || this.#operator === "||") {
      operators.push(this.#operator);
      const next = this.#pipeline();
      if (next === null) return null;
      commands.push(next);
    }
    return { type: "AndOr", commands, operators };
  }

  #pipeline(): PlainCommand | PlainPipeline | null {
    const first = this.#command();
    if (first === null || this.#operator !== "|") return first;
    const commands = [first];
    while (this.#operator === "|") {
      const next = this.#command();
      if (next === null) return null;
      commands.push(next);
    }
    return { type: "Pipeline", commands };
  }

  #command(): PlainCommand | null {
    const name = this.#isOver() ? null : this.#name();
    if (name === null) return null;
    const argv: Word[] = [{ text: name, known: true }];
    while (!this.#isOver()) {
      const code = this.#source.charCodeAt(this.#at);
      if (KINDS[code] === OPERATOR) break;
      if (code === TWO && this.#skipRedirection()) continue;
      const text = this.#word();
      if (text === null) return null;
      argv.push({ text, known: true });
    }
    this.#operator = this.#takeOperator();
    return this.#operator === "other" ? null : { type: "Plain", argv };
  }

  /** Whether there are only blanks left. Those before something else are passed over. */
  #isOver(): boolean {
    const source = this.#source;
    let at = this.#at;
    while (at < source.length && KINDS[source.charCodeAt(at)] === BLANK) at++;
    this.#at = at;
    return at === source.length;
  }

  /** A command's first word has no quotes, and no sign by which it could be an assignment. */
  #name(): string | null {
    const source = this.#source;
    const from = this.#at;
    let at = from;
    while (at < source.length && KINDS[source.charCodeAt(at)] === IN_NAME) at++;
    this.#at = at;
    if (at === from || !this.#isAtWordEnd()) return null;
    const name = source.slice(from, at);
    return NOT_COMMANDS.has(name) ? null : name;
  }

  #word(): string | null {
    const source = this.#source;
    let text: string | null = null;
    let from = this.#at;
    let at = from;
    while (at < source.length) {
      const kind = KINDS[source.charCodeAt(at)];
      if (kind === IN_NAME || kind === IN_WORD) at++;
      else if (kind === SINGLE || kind === DOUBLE) {
        const end = kind === SINGLE ? singleQuotedEnd(source, at) : doubleQuotedEnd(source, at);
        if (end === -1) return null;
        const before = from === at ? "" : source.slice(from, at);
        text = (text ?? "") + before + source.slice(at + 1, end);
        at = end + 1;
        from = at;
      } else break;
    }
    this.#at = at;
    if (!this.#isAtWordEnd()) return null;
    if (text === null) return source.slice(from, at);
    return from === at ? text : text + source.slice(from, at);
  }

  #isAtWordEnd(): boolean {
    if (this.#at === this.#source.length) return true;
    const kind = KINDS[this.#source.charCodeAt(this.#at)];
    return kind === BLANK || kind === OPERATOR;
  }

  #skipRedirection(): boolean {
    const from = this.#at;
    for (const text of WITHOUT_EFFECT) {
      if (!this.#source.startsWith(text, from)) continue;
      const end = from + text.length;
      if (end < this.#source.length && KINDS[this.#source.charCodeAt(end)] !== BLANK) continue;
      this.#at = end;
      return true;
    }
    return false;
  }

  #takeOperator(): Operator {
    const source = this.#source;
    if (this.#at === source.length) return "end";
    const code = source.charCodeAt(this.#at++);
    if (code === SEMICOLON) return ";";
    const isTwice = this.#at < source.length && source.charCodeAt(this.#at) === code;
    if (isTwice) this.#at++;
    if (code === AMPERSAND) return isTwice ? "&&" : "other";
    return isTwice ? "||" : "|";
  }
}

function singleQuotedEnd(source: string, from: number): number {
  for (let at = from + 1; at < source.length; at++) {
    const code = source.charCodeAt(at);
    if (code === QUOTE) return at;
    if (code < 0x20 || code > 0x7e) return -1;
  }
  return -1;
}

function doubleQuotedEnd(source: string, from: number): number {
  for (let at = from + 1; at < source.length; at++) {
    const code = source.charCodeAt(at);
    if (LETTER_IN_QUOTES[code] !== 1) return KINDS[code] === DOUBLE ? at : -1;
  }
  return -1;
}
