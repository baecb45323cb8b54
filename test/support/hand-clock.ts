import type { Clock } from "../../src/ports/clock.ts";

/** A clock that stands until a test moves it. */
export interface HandClock extends Clock {
  /** Moves both times, and runs what has become due, in its order. */
  readonly move: (ms: number) => void;
  /** How many tasks wait for their time. */
  readonly waiting: () => number;
}

export function handClock(startMs = Date.UTC(2026, 0, 2, 3, 4, 5)): HandClock {
  let elapsedMs = 0;
  const tasks = new Map<symbol, { readonly atMs: number; readonly task: () => void }>();
  const due = () => [...tasks].filter(([, { atMs }]) => atMs <= elapsedMs).sort(([, a], [, b]) => a.atMs - b.atMs)[0];
  return {
    nowMs: () => startMs + elapsedMs,
    monotonicMs: () => elapsedMs,
    after: (delayMs, task) => {
      const key = Symbol();
      tasks.set(key, { atMs: elapsedMs + delayMs, task });
      return () => void tasks.delete(key);
    },
    move: (ms) => {
      elapsedMs += ms;
      for (let next = due(); next !== undefined; next = due()) {
        tasks.delete(next[0]);
        next[1].task();
      }
    },
    waiting: () => tasks.size,
  };
}
