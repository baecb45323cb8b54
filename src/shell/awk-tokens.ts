export interface AwkToken {
  readonly kind: "text" | "regex" | "number" | "name" | "sign" | "end";
  readonly text: string;
}

const SKIPPED = /(?:[ \t\r]|\\\r?\n|#[^\n]*)+/y;
const TEXT = /"(?:[^"\\\n]|\\[\s\S])*"/y;
const NUMBER = /(?:0[xX][\da-fA-F]+|\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)/y;
const NAME = /[A-Za-z_]\w*(?:::\w+)?/y;
const SIGN = /(?:\|&|\|\||&&|>>|>=|<=|==|!=|!~|\+\+|--|[-+*/%^]=|\*\*|[-+*/%^!~<>=?:,;(){}[\]$|\n])/y;
const PATTERNS = [
  ["text", TEXT],
  ["number", NUMBER],
  ["name", NAME],
  ["sign", SIGN],
] as const;

/** The programs called awk differ in whether a slash in brackets ends an expression. */
const EXPRESSIONS: readonly RegExp[] = [
  /\/(?:\[\^?\]?(?:\[:\w+:\]|[^\]\\\n]|\\[\s\S])*\]|[^/\\\n[]|\\[\s\S])*\//y,
  /\/(?:\[\^?\]?(?:[^\]\\\n]|\\[\s\S])*\]|[^/\\\n[]|\\[\s\S])*\//y,
  /\/(?:[^/\\\n]|\\[\s\S])*\//y,
];

/** Words behind which an operand begins, so that a slash opens an expression. */
const BEFORE_OPERAND = /^(?:return|in|print|printf|delete|else|do|case|while|if|exit)$/;
/** The programs called awk differ in what a slash behind these is. */
const UNCLEAR = /^(?:length|getline)$/;
const CONTROLS = /^(?:if|while|for|switch)$/;
/** Behind these a statement goes on in the next line. */
const GOES_ON = /^(?:,|&&|\|\||\?|:)$/;

/**
 * Each way in which some awk may read the program. Null = one of them is not understood. Readings that no awk accepts, since a
 * bracket closes that none opened, are left out, but for when there is no other.
 */
export function awkReadings(code: string): readonly (readonly AwkToken[])[] | null {
  const readings: (readonly AwkToken[])[] = [];
  for (const expression of EXPRESSIONS) {
    const tokens = new Reader(code, expression).all();
    if (tokens === "unread") return null;
    if (tokens !== "invalid") readings.push(tokens);
  }
  return readings.length === 0 ? null : readings;
}

class Reader {
  readonly #code: string;
  readonly #expression: RegExp;
  readonly #tokens: AwkToken[] = [];
  /** Of each open parenthesis, whether a statement follows behind it. */
  readonly #parens: boolean[] = [];
  #brackets = 0;
  #isBehindControl = false;

  constructor(code: string, expression: RegExp) {
    this.#code = code;
    this.#expression = expression;
  }

  all(): readonly AwkToken[] | "unread" | "invalid" {
    for (let at = 0; at < this.#code.length; ) {
      const skipped = matchAt(SKIPPED, this.#code, at);
      if (skipped !== null) {
        at += skipped.length;
        continue;
      }
      const token = this.#tokenAt(at);
      if (token === null) return "unread";
      at += token.text.length;
      this.#follow(token);
      if (this.#brackets < 0) return "invalid";
      const isContinued = token.text === "\n" && GOES_ON.test(this.#tokens.at(-1)?.text ?? "");
      if (!isContinued) this.#tokens.push(token);
    }
    return this.#tokens;
  }

  #tokenAt(at: number): AwkToken | null {
    const slash = this.#code[at] === "/" ? this.#slash() : "divides";
    if (slash === "unclear") return null;
    const patterns = slash === "opens" ? [["regex", this.#expression] as const] : PATTERNS;
    for (const [kind, pattern] of patterns) {
      const text = matchAt(pattern, this.#code, at);
      if (text !== null) return { kind, text };
    }
    return null;
  }

  #slash(): "opens" | "divides" | "unclear" {
    const { kind, text } = this.#tokens.at(-1) ?? NONE;
    if (kind === "name") return UNCLEAR.test(text) ? "unclear" : BEFORE_OPERAND.test(text) ? "opens" : "divides";
    if (kind !== "sign") return kind === "end" ? "opens" : "divides";
    if (text === ")") return this.#isBehindControl ? "opens" : "divides";
    return /^(?:\]|\+\+|--)$/.test(text) ? "divides" : "opens";
  }

  #follow({ kind, text }: AwkToken): void {
    if (kind !== "sign") return;
    const { text: before } = this.#tokens.at(-1) ?? NONE;
    if (text === "(") this.#parens.push(CONTROLS.test(before));
    if (text === ")") this.#isBehindControl = this.#parens.pop() ?? false;
    if (text === "[") this.#brackets++;
    if (text === "]") this.#brackets--;
  }
}

const NONE: AwkToken = { kind: "end", text: "" };

/** Whether a value ends with this token. */
export const endsValue = ({ kind, text }: AwkToken): boolean =>
  kind === "sign" ? /^(?:\)|\]|\$|\+\+|--)$/.test(text) : !BEFORE_OPERAND.test(text) && text !== "getline";

function matchAt(pattern: RegExp, text: string, at: number): string | null {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? null;
}
