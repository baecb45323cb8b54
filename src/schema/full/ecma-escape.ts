/** Thrown where RE2 has no way to say it; `re2FromEcma` makes a value of it. */
export class Untranslatable extends Error {}

/** What stands in the pattern, and the same for RE2. */
export type Token = readonly [token: string, meaning: string];

/** RE2 means ASCII by `\s`. */
const SPACE = String.raw`\t-\r \x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}\x{feff}`;
const NO_SPACE = String.raw`\x{0}-\x{8}\x{e}-\x{1f}!-\x{9f}\x{a1}-\x{167f}\x{1681}-\x{1fff}\x{200b}-\x{2027}\x{202a}-\x{202e}\x{2030}-\x{205e}\x{2060}-\x{2fff}\x{3001}-\x{fefe}\x{ff00}-\x{10ffff}`;

type Place = "class" | "outside";
type Meaning = (match: RegExpExecArray, place: Place) => string;

const bracketed = (ranges: string, place: Place): string => (place === "class" ? ranges : `[${ranges}]`);

const codePoint = (point: number): string => `\\x{${point.toString(16)}}`;

/** In this order: a pair of escapes before half of one, a back-reference before a digit. */
const ESCAPES: readonly (readonly [form: RegExp, meaning: Meaning])[] = [
  [/^\\[dDwWtnvfr]/, ([token]) => token],
  [/^\\s/, (_, place) => bracketed(SPACE, place)],
  [/^\\S/, (_, place) => bracketed(NO_SPACE, place)],
  [/^\\[bB]/, ([token], place) => (place === "class" ? codePoint(8) : token)],
  [/^\\c([A-Za-z])/, ([token]) => codePoint(token.charCodeAt(2) % 32)],
  [/^\\0(?!\d)/, () => codePoint(0)],
  [/^\\x([0-9a-f]{2})/i, ([, digits]) => codePoint(Number(`0x${digits}`))],
  [/^\\ud[89ab][0-9a-f]{2}\\ud[c-f][0-9a-f]{2}/i, ([token]) => codePoint(pointOfPair(token))],
  [/^\\u(?!d[89a-f])([0-9a-f]{4})/i, ([, digits]) => codePoint(Number(`0x${digits}`))],
  [/^\\u\{([0-9a-f]+)\}/i, ([, digits]) => codePoint(Number(`0x${digits}`))],
  [/^\\([pP])\{(?:Script=|sc=|General_Category=|gc=)?(\w+)\}/, ([, letter, name]) => `\\${letter}{${name}}`],
  [/^\\(?:[1-9]|k<)/, refused("uses a back-reference, which can't be matched in linear time")],
  [/^\\[^A-Za-z0-9]/u, ([token]) => (/^\\[!-~]/.test(token) ? token : token.slice(1))],
];

/** A token that begins with a backslash. */
export function escapeToken(rest: string, place: Place): Token {
  for (const [form, meaning] of ESCAPES) {
    const match = form.exec(rest);
    if (match !== null) return [match[0], meaning(match, place)];
  }
  throw new Untranslatable(`uses the escape \`${rest.slice(0, 2)}\`, which is not supported`);
}

function refused(reason: string): Meaning {
  return () => {
    throw new Untranslatable(reason);
  };
}

const pointOfPair = (token: string): number => (JSON.parse(`"${token}"`) as string).codePointAt(0) as number;
