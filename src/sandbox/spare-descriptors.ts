import { closeSync, openSync, readFileSync } from "node:fs";

/** The pipes of a launcher, both ends of each, and what it takes to hear whether it was started. */
const NEEDED = 14;
/** So far from the last one nobody has to look. */
const NEAR = 64;

/**
 * Throws `EMFILE` where a start would find too few descriptors half-way: what it had opened by then would stay open, and
 * so make a bad thing worse (Node gives up the pipes of a child that it could not start, without closing them).
 * `newest`: one that was just opened, so that all below it are taken.
 */
export function spareDescriptors(newest: number, maximum: number): void {
  if (newest + NEAR < maximum) return;
  const opened: number[] = [];
  try {
    while (opened.length < NEEDED) opened.push(openSync("/dev/null", "r"));
  } finally {
    for (const fd of opened) closeSync(fd);
  }
}

/** So many of them may be taken before a start has got its own. */
const FAR = 1024;

/** Taken now, and given back when they are needed. Throws `EMFILE` where there are not so many; far from that none is. */
export function reservedDescriptors(count: number, maximum: number): Disposable {
  const taken = [openSync("/dev/null", "r")];
  const isNear = (taken[0] ?? 0) + FAR >= maximum;
  const giveBack = (): void => {
    for (const fd of taken.splice(0)) closeSync(fd);
  };
  try {
    if (!isNear) giveBack();
    while (isNear && taken.length < count) taken.push(openSync("/dev/null", "r"));
  } catch (error) {
    giveBack();
    throw error;
  }
  return { [Symbol.dispose]: giveBack };
}

/** How many this process may have. Node raises it to the most that it may, when it starts. */
export function descriptorsMax(limits: string = "/proc/self/limits"): number {
  try {
    const [, soft] = /^Max open files\s+(\d+|unlimited)/m.exec(readFileSync(limits, "utf8")) ?? [];
    return soft === "unlimited" ? Number.POSITIVE_INFINITY : Number(soft ?? 0);
  } catch {
    return 0; // unknown, so always near
  }
}
