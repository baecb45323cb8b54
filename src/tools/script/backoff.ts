import type { RetryPolicy } from "../../domain/script-tool.ts";

/** Full jitter: anything from nothing to what the attempt is due, so that those who failed together don't return together. */
export function delayBefore(
  attempt: number,
  { backoff, firstDelayMs, multiplier, maxDelayMs }: RetryPolicy,
  random: () => number,
): number {
  const dueMs = backoff === "fixed" ? firstDelayMs : firstDelayMs * multiplier ** (attempt - 2);
  return Math.round(random() * Math.min(dueMs, maxDelayMs));
}
