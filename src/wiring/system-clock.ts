import type { Clock } from "../ports/clock.ts";

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  after: (delayMs, task) => {
    const timer = setTimeout(task, delayMs);
    // A pending deadline alone is no reason to keep the process alive.
    timer.unref();
    return () => clearTimeout(timer);
  },
};
