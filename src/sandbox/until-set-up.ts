import { setImmediate as immediately, setTimeout as soon } from "node:timers/promises";

/** How often is looked on each turn of the event loop, before looks become rarer. */
const LOOKS_AT_ONCE = 20;
const LOOKS_MAX = 10_000;

/** Set-up takes some milliseconds. Before most of what the fastest took, nobody has to look. */
const MOST = 0.8;
let fastestMs = Number.POSITIVE_INFINITY;

/** Of several at a time each looks rarely: they would take the processor from one another, and from what they wait for. */
let atOnce = 0;
const restMs = (): number => Math.max(1, Math.floor(atOnce / 4));

/** Looks until there is something to see, nobody cares any more, or it has taken far too long. bubblewrap does not tell. */
export async function untilSetUp<Found extends string>(
  look: () => Found | "not ready",
  isOver: () => boolean,
): Promise<Found | "over" | "unseen"> {
  const sinceMs = performance.now();
  atOnce++;
  try {
    const waitMs = Number.isFinite(fastestMs) ? Math.floor(fastestMs * MOST) : 0;
    if (waitMs > 0) await soon(waitMs);
    for (let looks = 0; looks < LOOKS_MAX; looks++) {
      if (isOver()) return "over";
      const found = look();
      if (found !== "not ready") {
        fastestMs = Math.min(fastestMs, performance.now() - sinceMs);
        return found;
      }
      await (looks < LOOKS_AT_ONCE && atOnce === 1 ? immediately() : soon(restMs()));
    }
    return "unseen";
  } finally {
    atOnce--;
  }
}
