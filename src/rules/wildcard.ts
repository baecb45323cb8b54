/** Any run of characters, also an empty one. Negative, so that no code point equals it. */
export const ANY_RUN = -1;
/** Exactly one character. */
export const ANY_ONE = -2;

/** Code points, `ANY_RUN` and `ANY_ONE`. */
export type Wildcard = readonly number[];

/**
 * Whether `wildcard` matches all of `text` from `start` to `end`.
 * Goes back to the latest run only, since an earlier run can take nothing that the latest can't: the time is at most
 * the product of the lengths, whatever a pattern's author had in mind. No expression is ever built from a pattern.
 */
export function matchesWildcard(wildcard: Wildcard, text: string, start: number, end: number): boolean {
  let at = start;
  let token = 0;
  let runToken = -1;
  let runAt = start;
  while (at < end) {
    const wanted = wildcard[token];
    const found = text.codePointAt(at) as number;
    if (wanted === ANY_RUN) {
      runToken = token++;
      runAt = at;
    } else if (wanted === found || wanted === ANY_ONE) {
      at += unitsOf(found);
      token++;
    } else if (runToken === -1) {
      return false;
    } else {
      runAt += unitsOf(text.codePointAt(runAt) as number);
      at = runAt;
      token = runToken + 1;
    }
  }
  while (wildcard[token] === ANY_RUN) token++;
  return token === wildcard.length;
}

const unitsOf = (codePoint: number): number => (codePoint > 0xffff ? 2 : 1);
