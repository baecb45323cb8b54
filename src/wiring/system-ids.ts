import { randomBytes } from "node:crypto";
import type { Ids } from "../ports/ids.ts";

/** Tells the processes of all machines apart. */
const CHANCE_BYTES = 6;
const COUNT_DIGITS = 8;
const COUNT_END = 16 ** COUNT_DIGITS;
/** The last two digits of a count: all that differs between most ids and the next. */
const LAST_DIGITS: readonly string[] = Array.from({ length: 256 }, (_, n) => hex(n, 2));

/** Ids that sort by the time they were made: 48 bits of milliseconds, 48 of chance, 32 of a count, in hexadecimal. */
export function systemIds(nowMs: () => number): Ids {
  let chance = randomBytes(CHANCE_BYTES).toString("hex");
  let count = 0;
  let lastMs = -1;
  let lastPrefix = "";
  let begin = "";
  return {
    next: (prefix, ms = nowMs()) => {
      if (count === COUNT_END) {
        count = 0;
        chance = randomBytes(CHANCE_BYTES).toString("hex");
      }
      const last = count % LAST_DIGITS.length;
      if (last === 0 || ms !== lastMs || prefix !== lastPrefix) {
        lastMs = ms;
        lastPrefix = prefix;
        begin = `${prefix}_${hex(ms, 12)}${chance}${hex((count - last) / LAST_DIGITS.length, COUNT_DIGITS - 2)}`;
      }
      count++;
      return begin + LAST_DIGITS[last];
    },
  };
}

function hex(n: number, digits: number): string {
  return n.toString(16).padStart(digits, "0");
}
