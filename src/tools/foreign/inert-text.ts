/**
 * Characters of foreign text that act on a terminal or hide what a model reads: controls, marks that turn the direction of
 * text, zero-width ones, tags, the supplement of variation selectors, and halves of characters. Joiners and emoji selectors stay: writing needs them.
 */
const ACTING =
  /(?![\t\n\r])[\p{Cc}\p{Cs}\u00ad\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e0fff}]/u;
const ALL_ACTING = new RegExp(ACTING, "gu");

export const hasHiddenText = (text: string): boolean => ACTING.test(text);

/** The same text with such characters written out: shown, never obeyed. */
export const inertText = (text: string): string =>
  ACTING.test(text) ? text.replace(ALL_ACTING, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`) : text;

/** Every text in a value, names too. */
export function inertJson<Value>(value: Value): Value {
  if (typeof value === "string") return inertText(value) as Value;
  if (Array.isArray(value)) return value.map(inertJson) as Value;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [inertText(name), inertJson(member)]),
  ) as Value;
}
