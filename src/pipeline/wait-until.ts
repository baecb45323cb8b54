import type { Clock } from "../ports/clock.ts";

/** The longest that a timer can be set for is a little more. */
const LONG_MS = 2 ** 30;

/** So long, or until the signal aborts. The clock's own timers let the process end; who waits must hear the end. */
export async function waitUntil(clock: Clock, delayMs: number, signal: AbortSignal): Promise<void> {
  const { promise: woken, resolve } = Promise.withResolvers<void>();
  const keepAlive = setInterval(() => {}, LONG_MS);
  const wake = () => resolve();
  const disarm = clock.after(delayMs, wake);
  signal.addEventListener("abort", wake, { once: true });
  try {
    if (!signal.aborted) await woken;
  } finally {
    clearInterval(keepAlive);
    disarm();
    signal.removeEventListener("abort", wake);
  }
}
