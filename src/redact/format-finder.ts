import { Buffer } from "node:buffer";
import { ASSIGNMENT_RULES } from "./assignment-rules.ts";
import { type Automaton, automatonFrom } from "./automaton.ts";
import { CONTEXT_RULES } from "./context-rules.ts";
import { escapedRule } from "./escaped-rule.ts";
import type { FormatRule } from "./format-rule.ts";
import { PUBLISHED } from "./gitleaks-rules.ts";
import { KeywordSieve } from "./keyword-sieve.ts";
import type { Span } from "./span.ts";
import { entropyOf, isFilling } from "./value-judge.ts";
import { VENDOR_RULES } from "./vendor-rules.ts";

const PLAIN_RULES: readonly FormatRule[] = [...VENDOR_RULES, ...CONTEXT_RULES, ...ASSIGNMENT_RULES];

/** In this order the first names what several find. */
export const FORMAT_RULES: readonly FormatRule[] = [
  ...PLAIN_RULES,
  escapedRule((text) => {
    plainFinder ??= new FormatFinder(PLAIN_RULES);
    return plainFinder.mayFind(text) && plainFinder.find(Buffer.from(text, "latin1")).length > 0;
  }),
];

/** Made for the first escaped text: hardly any process sees one. */
let plainFinder: FormatFinder | null = null;

/** Finds what has the shape of a secret. Expressions run only where one of their keywords stands. */
export class FormatFinder {
  readonly #rules: readonly FormatRule[];
  readonly #keywords: readonly string[];
  readonly #rulesOfKeyword: readonly (readonly number[])[];
  readonly #sieve: KeywordSieve;
  #built: Automaton | null = null;

  constructor(rules: readonly FormatRule[] = FORMAT_RULES) {
    this.#rules = rules;
    const pairs = rules.flatMap(({ keywords }, index) => keywords.map((keyword) => ({ keyword, index })));
    const byKeyword = Map.groupBy(pairs, ({ keyword }) => keyword);
    this.#keywords = [...byKeyword.keys()];
    this.#rulesOfKeyword = [...byKeyword.values()].map((of) => of.map(({ index }) => index));
    this.#sieve = new KeywordSieve(this.#keywords);
  }

  mayFind(text: string): boolean {
    return this.#sieve.mayHold(text);
  }

  /** Built when the first text gets past the sieve. */
  get #automaton(): Automaton {
    this.#built ??= automatonFrom(
      this.#keywords.map((keyword) => Buffer.from(keyword, "latin1")),
      "any-case",
    );
    return this.#built;
  }

  find(bytes: Uint8Array): readonly Span[] {
    const { columns, next, firstHit, wordsAt } = this.#automaton;
    const found: { readonly index: number; readonly span: Span }[] = [];
    /** Up to where a rule has found something; keywords inside of it are a part of the secret. */
    const done = new Map<number, number>();
    let text: string | null = null;
    let state = 0;
    for (let at = 0; at < bytes.length; at++) {
      state = next[state + (columns[bytes[at] as number] as number)] as number;
      if (state < firstHit) continue;
      text ??= latin1From(bytes);
      for (const word of wordsAt(state)) {
        const keywordAt = at + 1 - (this.#keywords[word] as string).length;
        for (const index of this.#rulesOfKeyword[word] ?? []) {
          if (keywordAt < (done.get(index) ?? 0)) continue;
          const span = spanOf(this.#rules[index] as FormatRule, text, keywordAt);
          if (span === null) continue;
          found.push({ index, span });
          done.set(index, span.end);
        }
      }
    }
    return found.toSorted((a, b) => a.index - b.index).map(({ span }) => span);
  }
}

/** One character per byte, so that places in the text are places in the bytes. */
export const latin1From = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");

function spanOf(rule: FormatRule, text: string, keywordAt: number): Span | null {
  const { expression } = rule;
  expression.lastIndex = keywordAt - (rule.back ?? 0);
  if (expression.lastIndex < 0) return null;
  const match = expression.exec(text);
  if (match === null) return null;
  const end = expression.lastIndex;
  const start = end - (match.groups?.["secret"] ?? match[0]).length;
  if (!isSecret(rule, withoutClosing(text.slice(start, end)), match)) return null;
  const whole = withoutClosing(text.slice(start, restEnd(rule, text, end)));
  return { start, end: characterEnd(text, start + whole.length), rule: rule.id };
}

function restEnd({ rest }: FormatRule, text: string, from: number): number {
  if (rest === undefined) return from;
  rest.lastIndex = from;
  return from + (rest.exec(text)?.[0].length ?? 0);
}

/** A value that was cut at its greatest length is not cut inside of a character: `10xxxxxx` goes on with one in UTF-8. */
function characterEnd(text: string, from: number): number {
  let end = from;
  while (end < from + 3 && (text.charCodeAt(end) & 0xc0) === 0x80) end++;
  return end;
}

/** Closing brackets behind a value that opens none belong to the text around it. */
function withoutClosing(value: string): string {
  if (/[({[]/.test(value)) return value;
  let end = value.length;
  while (end > 0 && ")}]".includes(value.charAt(end - 1))) end--;
  return value.slice(0, end);
}

/** Examples of documentation: whoever reads them has them already. */
const PUBLISHED_VALUES: ReadonlySet<string> = new Set(PUBLISHED);

function isSecret({ filling, entropyMin = 0, accepts }: FormatRule, secret: string, match: RegExpExecArray): boolean {
  if (PUBLISHED_VALUES.has(secret)) return false;
  if (filling !== "allowed" && isFilling(secret)) return false;
  if (entropyMin > 0 && entropyOf(secret) < entropyMin) return false;
  return accepts === undefined || accepts(secret, match);
}
