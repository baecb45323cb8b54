import type { Clock } from "../ports/clock.ts";

/** To the microsecond. */
export const sinceMs = (startMs: number, clock: Clock): number =>
  Math.round((clock.monotonicMs() - startMs) * 1000) / 1000;
