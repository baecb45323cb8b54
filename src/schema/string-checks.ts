import { type Check, mismatch, NONE } from "./mismatch.ts";
import type { SupportedSchema } from "./supported-schema.ts";

/** `minLength` and `maxLength`, which count code points. */
export function stringChecks(schema: SupportedSchema): readonly Check[] {
  const checks: Check[] = [];
  if (schema.minLength !== undefined) checks.push(minLengthCheck(schema.minLength));
  if (schema.maxLength !== undefined) checks.push(maxLengthCheck(schema.maxLength));
  return checks;
}

function minLengthCheck(least: number): Check {
  return (value) => {
    // A code point is one or two units: a text of twice the units is long enough without counting.
    if (typeof value !== "string" || value.length >= 2 * least || codePoints(value) >= least) return NONE;
    return mismatch("min_length", `must have at least ${inCharacters(least)}, has ${codePoints(value)}`);
  };
}

function maxLengthCheck(most: number): Check {
  return (value) => {
    if (typeof value !== "string" || value.length <= most || codePoints(value) <= most) return NONE;
    return mismatch("max_length", `must have at most ${inCharacters(most)}, has ${codePoints(value)}`);
  };
}

const inCharacters = (count: number): string => (count === 1 ? "1 character" : `${count} characters`);

function codePoints(text: string): number {
  let count = 0;
  for (let i = 0; i < text.length; i++) {
    if ((text.codePointAt(i) as number) > 0xffff) i++;
    count++;
  }
  return count;
}
