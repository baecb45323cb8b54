import { expect, it } from "vitest";
import { needs } from "../../support/parts.ts";
import { callThroughFailedSync, commitThroughFailedSync } from "./failed-sync.ts";

const upTo = (last: number): number[] => Array.from({ length: last }, (_, i) => i + 1);

needs("strace")("F04: after a sync that failed", () => {
  it.each([
    ["fsync", 8], // those that make the journal, its log and a checkpoint
    ["fdatasync", 10], // the start and the end of each of five calls
  ] as const)("nothing more runs in this process, whichever %s it was", async (syscall, atLeast) => {
    let met = 0;
    for (const nth of upTo(25)) if ((await callThroughFailedSync([syscall, nth])).met) met += 1;
    expect(met).toBeGreaterThanOrEqual(atLeast);
  });

  it.each(["EIO", "ENOSPC", "EDQUOT", "EROFS", "EINVAL"])(
    "nothing more is written, whichever it was: %s",
    async (error) => {
      for (const nth of upTo(8)) for (const atOnce of [1, 2, 40]) await commitThroughFailedSync({ atOnce, nth, error });
    },
  );
});
