import type { Clock } from "../../src/ports/clock.ts";

/** Time passes as soon as somebody waits for it, and not otherwise. */
export function hastyClock(): Clock {
  let passedMs = 0;
  return {
    nowMs: () => Date.parse("2026-11-15T21:00:00Z") + passedMs,
    monotonicMs: () => passedMs,
    after: (delayMs, task) => {
      const immediate = setImmediate(() => {
        passedMs += delayMs;
        task();
      });
      return () => clearImmediate(immediate);
    },
  };
}
