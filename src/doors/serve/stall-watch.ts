import type { Log } from "./log.ts";

const LOOK_EVERY_MS = 500;
const STALLED_MS = 1000;

export interface StallWatch {
  /** The longest that the loop was held up since somebody asked last. */
  readonly worstMs: () => number;
  readonly stop: () => void;
}

/** Notices when something holds up the event loop, and with it everybody: nobody else could tell. */
export function stallWatch(log: Log, nowMs: () => number = () => performance.now()): StallWatch {
  let lastMs = nowMs();
  let worst = 0;
  const timer = setInterval(() => {
    const heldMs = Math.max(0, nowMs() - lastMs - LOOK_EVERY_MS);
    lastMs = nowMs();
    worst = Math.max(worst, heldMs);
    if (heldMs > STALLED_MS) log("warn", "event loop was held up", { duration_ms: Math.round(heldMs) });
  }, LOOK_EVERY_MS).unref();
  return {
    worstMs: () => {
      const told = worst;
      worst = 0;
      return told;
    },
    stop: () => clearInterval(timer),
  };
}
