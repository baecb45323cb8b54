import { LIMITS } from "../../domain/limits.ts";
import type { Clock } from "../../ports/clock.ts";
import { sqliteFault } from "./sqlite-fault.ts";

const BUSY_DELAYS_MS = [1, 2, 4, 8];
const BUSY_DELAY_MAX_MS = 16;

/** Tries again while another process holds the lock, for a bounded time; then throws what SQLite threw. */
export async function whileBusy<T>(clock: Clock, write: () => T): Promise<T> {
  const deadlineMs = clock.monotonicMs() + LIMITS.ledgerWaitMs.default;
  for (let attempt = 0; ; attempt++) {
    try {
      return write();
    } catch (error) {
      if (sqliteFault(error) !== "busy" || clock.monotonicMs() >= deadlineMs) throw error;
      await waited(clock, BUSY_DELAYS_MS[attempt] ?? BUSY_DELAY_MAX_MS);
    }
  }
}

/** The clock's own timers let the process end; somebody who waits for the answer to a commit must get it. */
async function waited(clock: Clock, delayMs: number): Promise<void> {
  const keepAlive = setInterval(() => {}, LIMITS.ledgerWaitMs.maximum);
  try {
    await new Promise<void>((resolve) => clock.after(delayMs, resolve));
  } finally {
    clearInterval(keepAlive);
  }
}
