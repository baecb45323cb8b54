/**
 * One shape that secrets have. Rules are data; `format-finder.ts` runs them.
 *
 * INVARIANT (linear): an expression runs only where one of its keywords stands, is anchored there, and has bounded
 * repetitions whose parts don't overlap, so its cost is bounded by its own length and never by the text's.
 */
export interface FormatRule {
  readonly id: string;
  /** In lower case. Each match begins with one of them, `back` characters further on. */
  readonly keywords: readonly string[];
  readonly back?: number;
  /** Sticky, on text in which each character is a byte. Its group `secret`, with which it ends, is the secret; without one, all of it. */
  readonly expression: RegExp;
  /** Sticky: what more of the secret follows. Long values are judged by their head, and taken whole. */
  readonly rest?: RegExp;
  readonly entropyMin?: number;
  /** Whether filling such as `xxxx` may stand in it. Default: then it is no secret. */
  readonly filling?: "allowed";
  /** The last word, for rules whose shape alone proves little. */
  readonly accepts?: (secret: string, match: RegExpExecArray) => boolean;
}

/** No match of a rule is longer, so a stream that holds back this much misses none. */
export const MATCH_BYTES_MAX = 34_000;

export type Vendor = readonly [id: string, keywords: string, expression: string, options?: Partial<FormatRule>];

/** A token that is known by how it begins: nothing of a word may stand right before or after it. */
export const tokenRule = ([id, keywords, expression, options]: Vendor): FormatRule =>
  lazyRule({ id, keywords: keywords.split(" "), entropyMin: 3, ...options }, () => {
    return new RegExp(`(?<![A-Za-z0-9])(?:${expression})(?![A-Za-z0-9_])`, "y");
  });

/** A rule whose expression is made when it is first used: most processes use hardly any, and all of them cost a start. */
export function lazyRule(rule: Omit<FormatRule, "expression">, make: () => RegExp): FormatRule {
  let made: RegExp | null = null;
  return Object.defineProperty(rule as FormatRule, "expression", {
    enumerable: true,
    get: () => {
      made ??= make();
      return made;
    },
  });
}
