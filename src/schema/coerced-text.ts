import type { Kind } from "./accepted-kinds.ts";

/** As JSON writes a number, without an exponent: no sign `+`, no spaces, no zeros in front, no other script's digits. */
const DECIMAL = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?$/;
const DIGITS_MAX = 24;

/**
 * What a text stands for where a schema wants something else, or the text itself.
 * Strict: the value must read as that very text again, so that `1.0`, `1e3`, `0x10`, `-0` and digits that would be lost stay
 * texts, and are refused as such.
 */
export function coercedText(text: string, accepted: ReadonlySet<Kind>): string | number | boolean {
  if (accepted.has("boolean") && (text === "true" || text === "false")) return text === "true";
  if (text.length > DIGITS_MAX || !DECIMAL.test(text)) return text;
  const number = Number(text);
  if (String(number) !== text) return text;
  const isWhole = Number.isInteger(number);
  if (isWhole && !Number.isSafeInteger(number)) return text;
  return accepted.has(isWhole ? "integer" : "fraction") ? number : text;
}
