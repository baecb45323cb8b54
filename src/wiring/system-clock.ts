import type { Clock } from "../ports/clock.ts";

/** Deadlines of a second and more are looked at this often, by one timer for all of them. */
const COARSE_MS = 50;
const COARSE_FROM_MS = 1000;

interface Alarm {
  readonly dueMs: number;
  readonly task: () => void;
}

const [startSeconds] = process.hrtime();

/** What `performance.now` says, but for where it begins. The first use of `performance` would load a good deal of Node. */
function monotonicMs(): number {
  const time = process.hrtime();
  return (time[0] - startSeconds) * 1000 + time[1] / 1e6;
}

/** The time of this machine. */
export const systemClock: Clock = clockWithCoarseAlarms();

/** Each call has a deadline that hardly ever comes, so setting one has to cost next to nothing. */
function clockWithCoarseAlarms(): Clock {
  const alarms = new Set<Alarm>();
  let isArmed = false;
  const look = () => {
    isArmed = false;
    const nowMs = monotonicMs();
    for (const alarm of alarms) {
      if (alarm.dueMs > nowMs) continue;
      alarms.delete(alarm);
      alarm.task();
    }
    if (alarms.size > 0) arm();
  };
  const arm = () => {
    if (isArmed) return;
    isArmed = true;
    // A pending deadline alone is no reason to keep the process alive.
    setTimeout(look, COARSE_MS).unref();
  };
  return {
    nowMs: () => Date.now(),
    monotonicMs,
    after: (delayMs, task, hold) => {
      if (hold !== undefined) {
        const held = setTimeout(task, delayMs);
        return () => clearTimeout(held);
      }
      if (delayMs < COARSE_FROM_MS) {
        const exact = setTimeout(task, delayMs).unref();
        return () => clearTimeout(exact);
      }
      const alarm = { dueMs: monotonicMs() + delayMs, task };
      alarms.add(alarm);
      arm();
      return () => void alarms.delete(alarm);
    },
  };
}
