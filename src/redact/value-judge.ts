/** Shannon entropy in bits per character: 0 for `aaaa`, 4 for random hexadecimal digits, near 6 for long Base64. */
export function entropyOf(value: string): number {
  const counts = new Map<number, number>();
  for (let at = 0; at < value.length; at++) {
    const unit = value.charCodeAt(at);
    counts.set(unit, (counts.get(unit) ?? 0) + 1);
  }
  let bits = 0;
  for (const count of counts.values()) bits -= (count / value.length) * Math.log2(count / value.length);
  return bits;
}

/** Filling instead of a value: `xxxxxxxx`, `********`, `ghp_...`, a digit or letter six times in a row. */
const FILLING = /x{4}|\*{3}|\.{3}|\u2026|#{4}|(.)\1{5}/i;

export const isFilling = (value: string): boolean => FILLING.test(value);

/** A slot that something else fills in: `$NAME`, `${NAME}`, `$(cat f)`, `{{ name }}`, `<token>`, `[TOKEN]`, `%NAME%`, `%H:%M`. */
const SLOT = /\$[{(]|\{\{|%\{|<%|^\$\w+|^%\w+%$|^<|^\{[A-Za-z_]+\}$|^\[[\w ]+\]$|^`|%[A-Za-z]\W%[A-Za-z]/;
/** Words with which authors of documentation say that a value is none. */
const SAYS_SO =
  /example|placeholder|change_?me|replace|redacted|dummy|sample|your[_-]|^(?:my|your|the)?_?(?:password|passwd|secret|token|key)$|[_-]here\b/i;
/** Code or a path: what gives the value, not the value. */
const REFERENCE =
  /^[A-Za-z_]+\d{0,2}(?:\??\.[A-Za-z_]+\d{0,2})+$|^\{?[\w.$]+\(|^\(|->|::|^\.{0,2}\/[\w./-]*$|^~\/|^\w{2,8}:\/\/|\.env\b/;

/** Whether a value stands where a secret would, and visibly is none. */
export const isPlaceholder = (value: string): boolean =>
  isFilling(value) || SLOT.test(value) || SAYS_SO.test(value) || REFERENCE.test(value);

const PASSWORD_LENGTH_MIN = 6;
const TOKEN_LENGTH_MIN = 12;
const TOKEN_ENTROPY_MIN = 2.9;
/** Letters alone are words, unless they are mixed as no word is. */
const LETTERS_LENGTH_MIN = 12;
const LETTERS_ENTROPY_MIN = 3.4;

const LETTER = /[A-Za-z\x80-\xff]/;
const DIGIT = /[0-9]/;
/** What people put into passwords. Dashes, dots and underscores join words as well. */
const SIGN = /[^A-Za-z0-9\x80-\xff._\-\s:/]/;

/** Two blanks: a sentence. */
const SENTENCE = /\s\S+\s/;

/** For what stands behind `password=` and the like: people choose these, so they need not look random. */
export const isPassword = (value: string): boolean =>
  value.length >= PASSWORD_LENGTH_MIN &&
  (DIGIT.test(value) || SIGN.test(value) || isMixed(value)) &&
  !SENTENCE.test(value) &&
  !isPlaceholder(value);

/** For what stands behind `token=`, `api_key=` and the like: machines make these. */
export const isToken = (value: string): boolean =>
  value.length >= TOKEN_LENGTH_MIN &&
  (isMixed(value) || (DIGIT.test(value) && LETTER.test(value) && entropyOf(value) >= TOKEN_ENTROPY_MIN)) &&
  !/\s/.test(value) &&
  !isPlaceholder(value);

const isMixed = (value: string): boolean =>
  value.length >= LETTERS_LENGTH_MIN &&
  hasRandomCase(value) &&
  /^[A-Za-z+/=_-]+$/.test(value) &&
  entropyOf(value) >= LETTERS_ENTROPY_MIN;

/** Capitals as chance sets them: often, and next to each other. In `camelCase` they begin words. */
const hasRandomCase = (value: string): boolean =>
  /[A-Z]{2}/.test(value) && (value.match(/[a-z][A-Z]/g)?.length ?? 0) >= value.length / 6;
