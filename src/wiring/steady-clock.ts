import type { Clock } from "../ports/clock.ts";

/**
 * A clock for deadlines that people have. The wall clock may be set back: then the time that has really gone by counts, so
 * that nothing can be answered for longer than it was to be. Set forward, it is believed: over is over.
 */
export function steadyClock(clock: Clock): Clock {
  const wallMs = clock.nowMs();
  const sinceMs = clock.monotonicMs();
  return { ...clock, nowMs: () => Math.max(clock.nowMs(), wallMs + Math.floor(clock.monotonicMs() - sinceMs)) };
}
