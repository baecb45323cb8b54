import type { ReconnectionScheduler } from "@modelcontextprotocol/client";

const FIRST_MS = 100;
const LONGEST_MS = 30_000;
/** After so long without one, coming back is not spinning any more. */
const QUIET_MS = 60_000;

interface Timing {
  readonly nowMs: () => number;
  /** To be called to call it off. */
  readonly after: (delayMs: number, task: () => void) => () => void;
}

/**
 * When to go back to a stream that has ended. An upstream may say how long to wait (`retry:`), and with 0 would have us do nothing
 * else: so there is a least time, which doubles with each time that comes soon after the last one.
 */
export function reconnectLater({ nowMs, after }: Timing = TIMERS): ReconnectionScheduler {
  let leastMs = FIRST_MS;
  let lastMs = Number.NEGATIVE_INFINITY;
  return (reconnect, wishedMs) => {
    if (nowMs() - lastMs > QUIET_MS) leastMs = FIRST_MS;
    const delayMs = Math.min(Math.max(wishedMs, leastMs), LONGEST_MS);
    leastMs = Math.min(leastMs * 2, LONGEST_MS);
    lastMs = nowMs() + delayMs;
    return after(delayMs, reconnect);
  };
}

const TIMERS: Timing = {
  nowMs: () => performance.now(),
  after: (delayMs, task) => {
    const timer = setTimeout(task, delayMs).unref();
    return () => clearTimeout(timer);
  },
};
