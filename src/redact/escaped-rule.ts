import type { FormatRule } from "./format-rule.ts";

/** One character of a text that is escaped character by character. Decimal references, hexadecimal ones, `\u00` and `\x`. */
const ESCAPE = String.raw`(?:\\u00[0-9A-Fa-f]{2}|\\x[0-9A-Fa-f]{2}|&#x0{0,4}[0-9A-Fa-f]{2};|&#0{0,2}[0-9]{2,3};)`;
/** No secret by its shape is shorter. */
const CHARACTERS_MIN = 12;
const CHARACTERS_MAX = 1000;

const [FIRST_DIGITS, FIRST_HEX] = [Array.from("123456789"), Array.from("234567")];

/**
 * A text with every character escaped is a secret if it is one without the escapes. `holdsSecret`: whether the text, one character a byte,
 * holds a secret by its shape. A mixture of escaped and other characters is out of reach.
 */
export const escapedRule = (holdsSecret: (text: string) => boolean): FormatRule => ({
  id: "escaped-secret",
  keywords: [
    "\\u00",
    "&#x",
    "&#0",
    ...FIRST_DIGITS.map((digit) => `&#${digit}`),
    ...FIRST_HEX.map((digit) => `\\x${digit}`),
  ],
  expression: new RegExp(`(?<!${ESCAPE})${ESCAPE}{${CHARACTERS_MIN},${CHARACTERS_MAX}}`, "y"),
  filling: "allowed",
  accepts: (value) => holdsSecret(unescaped(value)),
});

const unescaped = (value: string): string =>
  value.replace(new RegExp(ESCAPE, "g"), (written) => {
    const isDecimal = /^&#[0-9]/.test(written);
    const code = Number.parseInt(
      written.replace(/^(?:\\u|\\x|&#x?)|;$/g, () => ""),
      isDecimal ? 10 : 16,
    );
    return String.fromCharCode(code & 0xff);
  });
