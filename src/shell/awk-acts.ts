import type { CodeActs } from "./code-acts.ts";

interface Token {
  readonly kind: "text" | "regex" | "number" | "name" | "sign" | "end";
  readonly text: string;
}

const UNREAD: CodeActs = { runs: true, writes: [null], reads: true };
const SKIPPED = /(?:[ \t\r]|\\\r?\n|#[^\n]*)+/y;
const TEXT = /"(?:[^"\\\n]|\\[\s\S])*"/y;
const REGEX = /\/(?:\[\^?\]?(?:[^\]\\\n]|\\[\s\S])*\]|[^/\\\n[]|\\[\s\S])+\//y;
const NUMBER = /(?:0[xX][\da-fA-F]+|\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)/y;
const NAME = /[A-Za-z_]\w*(?:::\w+)?/y;
const SIGN = /(?:\|&|\|\||&&|>>|>=|<=|==|!=|!~|\+\+|--|[-+*/%^]=|\*\*|[-+*/%^!~<>=?:,;(){}[\]$|\n])/y;
/** Words behind which an operand begins, so that a slash opens an expression. */
const BEFORE_OPERAND = /^(?:return|in|print|printf|getline|delete|else|do|case|while|if|exit)$/;

/** What a program in awk does; whatever is not understood may run anything. */
export function awkActs(code: string): CodeActs {
  const tokens = tokensOf(code);
  return tokens === null ? UNREAD : new Acts(tokens).all();
}

function tokensOf(code: string): readonly Token[] | null {
  const tokens: Token[] = [];
  for (let at = 0; at < code.length; ) {
    const skipped = matchAt(SKIPPED, code, at);
    if (skipped !== null) {
      at += skipped.length;
      continue;
    }
    const token = tokenAt(code, at, tokens.at(-1));
    if (token === null) return null;
    tokens.push(token);
    at += token.text.length;
  }
  return tokens;
}

function tokenAt(code: string, at: number, before: Token | undefined): Token | null {
  const patterns: readonly (readonly [Token["kind"], RegExp])[] = [
    ["text", TEXT],
    ...(endsValue(before) ? [] : [["regex", REGEX] as const]),
    ["number", NUMBER],
    ["name", NAME],
    ["sign", SIGN],
  ];
  for (const [kind, pattern] of patterns) {
    const text = matchAt(pattern, code, at);
    if (text !== null) return { kind, text };
  }
  return null;
}

const endsValue = (token: Token | undefined): boolean =>
  token !== undefined &&
  (token.kind === "sign" ? /^(?:\)|\]|\$|\+\+|--)$/.test(token.text) : !BEFORE_OPERAND.test(token.text));

const END: Token = { kind: "end", text: "" };
/** Behind these a statement is over. */
const OVER = /^(?:|;|\}|\n)$/;
/** Commands without anything for a shell to expand, of programs that only look at their input. */
const PLAIN_COMMAND = /^(?:sort|uniq|cat|wc|head|tail|column|tac|rev|date|nl|cut|tr|fold|fmt)(?: +[-\w.,:+=/]+)*$/;
/** Options by which those write or run something. */
const NOT_PLAIN = / -[a-z]*[oT]| --(?:out|comp|files0|temp)/;

class Acts {
  readonly #tokens: readonly Token[];
  #runs = false;
  #reads = false;
  readonly #writes: (string | null)[] = [];

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  all(): CodeActs {
    let isPrinting = false;
    let depth = 0;
    for (const [at, { kind, text }] of this.#tokens.entries()) {
      if (kind === "name") {
        if (text === "system") this.#command(at + 1, "(", ")");
        else if (text === "print" || text === "printf") [isPrinting, depth] = [true, 0];
        else if (text === "getline" && this.#at(at + 1, "<", 3)) this.#reads = true;
      } else if (kind === "sign") {
        if (OVER.test(text) || text === "{") isPrinting = false;
        if (text === "(") depth++;
        if (text === ")") depth--;
        if ((text === ">" || text === ">>") && isPrinting && depth <= 0) this.#file(at + 1);
        if (text === "|") this.#pipe(at, isPrinting && depth <= 0);
        if (text === "|&") this.#runs = true;
      }
    }
    return { runs: this.#runs, writes: this.#writes, reads: this.#reads };
  }

  readonly #token = (at: number): Token => this.#tokens[at] ?? END;

  /** Whether one of the next tokens is this one, with names, signs of fields and indexes before it. */
  #at(from: number, text: string, most: number): boolean {
    for (let at = from; at <= from + most; at++) {
      if (this.#token(at).text === text && this.#token(at).kind === "sign") return true;
      if (OVER.test(this.#token(at).text)) return false;
    }
    return false;
  }

  /** `system("date")`: a text and nothing else, between two signs. */
  #command(from: number, open: string, close: string): void {
    const isText = this.#token(from).text === open && this.#token(from + 2).text === close;
    this.#started(isText ? this.#token(from + 1) : END);
  }

  #pipe(at: number, isPrinting: boolean): void {
    if (isPrinting) {
      const isText = OVER.test(this.#token(at + 2).text);
      return void this.#started(isText ? this.#token(at + 1) : END);
    }
    const isAlone = at < 2 || !endsValue(this.#token(at - 2));
    this.#started(this.#token(at + 1).text === "getline" && isAlone ? this.#token(at - 1) : END);
  }

  #started({ kind, text }: Token): void {
    const command = text.slice(1, -1);
    if (kind !== "text" || !PLAIN_COMMAND.test(command) || NOT_PLAIN.test(command)) this.#runs = true;
  }

  #file(at: number): void {
    const { kind, text } = this.#token(at);
    const isText = kind === "text" && OVER.test(this.#token(at + 1).text) && !text.includes("\\");
    this.#writes.push(isText ? text.slice(1, -1) : null);
  }
}

function matchAt(pattern: RegExp, text: string, at: number): string | null {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? null;
}
