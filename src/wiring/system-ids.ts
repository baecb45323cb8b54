import { randomBytes } from "node:crypto";
import type { Ids } from "../ports/ids.ts";

/** Tells the processes of all machines apart. */
const CHANCE_BYTES = 6;
const COUNT_DIGITS = 8;
const COUNT_END = 16 ** COUNT_DIGITS;

/** Ids that sort by the time they were made: 48 bits of milliseconds, 48 of chance, 32 of a count, in hexadecimal. */
export function systemIds(nowMs: () => number): Ids {
  let chance = randomBytes(CHANCE_BYTES).toString("hex");
  let count = 0;
  let lastMs = -1;
  let begin = "";
  return {
    next: (prefix, ms = nowMs()) => {
      if (count === COUNT_END) {
        count = 0;
        chance = randomBytes(CHANCE_BYTES).toString("hex");
        lastMs = -1;
      }
      if (ms !== lastMs) {
        lastMs = ms;
        begin = ms.toString(16).padStart(12, "0") + chance;
      }
      return `${prefix}_${begin}${(count++).toString(16).padStart(COUNT_DIGITS, "0")}`;
    },
  };
}
