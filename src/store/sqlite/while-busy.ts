import { LIMITS } from "../../domain/limits.ts";
import type { Now } from "../../domain/now.ts";
import type { Clock } from "../../ports/clock.ts";
import { sqliteFault } from "./sqlite-fault.ts";

const BUSY_DELAYS_MS = [1, 2, 4, 8];
const BUSY_DELAY_MAX_MS = 16;

/** Tries again while another process holds the lock, for a bounded time; then throws what SQLite threw. */
export async function whileBusy<T>(clock: Clock, write: () => T): Promise<T> {
  return await nowOrWhileBusy(clock, write);
}

/** The same, for what is hardly ever kept waiting and done for every call: the first attempt is made at once. */
export function nowOrWhileBusy<T>(clock: Clock, write: () => T): Now<T> {
  try {
    return write();
  } catch (error) {
    if (sqliteFault(error) !== "busy") throw error;
    return againWhileBusy(clock, write, error);
  }
}

async function againWhileBusy<T>(clock: Clock, write: () => T, first: unknown): Promise<T> {
  const deadlineMs = clock.monotonicMs() + LIMITS.ledgerWaitMs.default;
  let busy = first;
  for (let attempt = 0; clock.monotonicMs() < deadlineMs; attempt++) {
    await waited(clock, BUSY_DELAYS_MS[attempt] ?? BUSY_DELAY_MAX_MS);
    try {
      return write();
    } catch (error) {
      if (sqliteFault(error) !== "busy") throw error;
      busy = error;
    }
  }
  throw busy;
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
