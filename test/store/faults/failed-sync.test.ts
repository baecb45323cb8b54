import { expect, it } from "vitest";
import { needs } from "../../support/parts.ts";
import { callThroughFailedSync } from "./failed-sync.ts";

needs("strace")("F04: after a sync that failed", () => {
  it("nothing more runs in this process (A62)", async () => {
    // While the journal is made, at the end of a call, at a checkpoint in the store, and in its file.
    const reports = await Promise.all([10, 16, 17, 18].map(callThroughFailedSync));
    expect(reports.filter(({ met }) => met).length).toBeGreaterThanOrEqual(3);
  });
});
