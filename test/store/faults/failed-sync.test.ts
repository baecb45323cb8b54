import { expect, it } from "vitest";
import { needs } from "../../support/parts.ts";
import { callThroughFailedSync, commitThroughFailedSync, type Sync } from "./failed-sync.ts";

needs("strace")("F04: after a sync that failed", () => {
  it.each<[string, readonly [Sync, ...Sync[]]]>([
    ["while the journal is made", [["fsync", 10]]],
    [
      "at the start of a call",
      [
        ["fdatasync", 1],
        ["fdatasync", 5, "ENOSPC"],
      ],
    ],
    [
      "at the end of a call",
      [
        ["fdatasync", 2],
        ["fdatasync", 4, "EDQUOT"],
      ],
    ],
    [
      "at a checkpoint, in the store and in its file",
      [
        ["fsync", 12],
        ["fsync", 13],
      ],
    ],
  ])("nothing more runs in this process: %s (A62)", async (_, syncs) => {
    const reports = await Promise.all(syncs.map(callThroughFailedSync));
    expect(reports.map(({ met }) => met)).toEqual(syncs.map(() => true));
  });

  it.each([
    ["one change", { atOnce: 1, nth: 1 }],
    ["one change, later", { atOnce: 1, nth: 3, error: "ENOSPC" }],
    ["several at once", { atOnce: 7, nth: 1 }],
    ["several at once, later", { atOnce: 7, nth: 3, error: "EDQUOT" }],
    ["several at once, where the log is given its length", { atOnce: 2, nth: 5 }],
  ])("nothing more is written, and nothing signed for: %s", async (_, failure) => {
    await commitThroughFailedSync(failure);
  });
});
