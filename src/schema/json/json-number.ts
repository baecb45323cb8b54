import { JsonTextFault } from "./json-text-fault.ts";

/** One past the JSON number that begins at `start`; `start` itself when none does. By hand: a pattern would recurse. */
export function endOfNumber(text: string, start: number): number {
  const first = text[start] === "-" ? start + 1 : start;
  const whole = text[first] === "0" ? first + 1 : endOfDigits(text, first);
  if (whole === first) return start;
  return endOfExponent(text, endOfFraction(text, whole));
}

function endOfFraction(text: string, start: number): number {
  if (text[start] !== ".") return start;
  const end = endOfDigits(text, start + 1);
  return end === start + 1 ? start : end;
}

function endOfExponent(text: string, start: number): number {
  if (text[start] !== "e" && text[start] !== "E") return start;
  const sign = text[start + 1];
  const digits = sign === "+" || sign === "-" ? start + 2 : start + 1;
  const end = endOfDigits(text, digits);
  return end === digits ? start : end;
}

function endOfDigits(text: string, start: number): number {
  let at = start;
  for (let unit = text.charCodeAt(at); unit >= 0x30 && unit <= 0x39; unit = text.charCodeAt(at)) at++;
  return at;
}

const WHOLE = /^-?\d+$/;

/** RFC 7493 section 2.2: an integer beyond 2^53 comes out as another one. A fraction is understood to be rounded. */
export function numberFrom(digits: string, offset: number): number {
  const value = Number(digits);
  if (!Number.isFinite(value)) throw new JsonTextFault("a number too large for JSON's readers", offset);
  if (!Number.isSafeInteger(value) && WHOLE.test(digits)) {
    throw new JsonTextFault("an integer beyond 2^53, which would lose digits; send it as a string", offset);
  }
  return value === 0 ? 0 : value; // -0 has the canonical form 0
}
