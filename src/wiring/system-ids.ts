import { randomFillSync } from "node:crypto";
import type { Ids } from "../ports/ids.ts";

const RANDOM_BYTES = 10;
const POOL_BYTES = RANDOM_BYTES * 256;

/** Ids that sort by time: 48 bits of milliseconds, then 80 random bits, in hexadecimal. */
export function systemIds(nowMs: () => number): Ids {
  const pool = Buffer.alloc(POOL_BYTES);
  let used = POOL_BYTES;
  let lastMs = -1;
  let time = "";
  return {
    next: (prefix) => {
      if (used === POOL_BYTES) {
        randomFillSync(pool);
        used = 0;
      }
      const ms = nowMs();
      if (ms !== lastMs) {
        lastMs = ms;
        time = ms.toString(16).padStart(12, "0");
      }
      const random = pool.toString("hex", used, used + RANDOM_BYTES);
      used += RANDOM_BYTES;
      return `${prefix}_${time}${random}`;
    },
  };
}
