import { expect, it } from "vitest";
import { needs } from "../../support/parts.ts";
import { callThroughFailedSync } from "./failed-sync.ts";

needs("strace")("F04: after a sync that failed", () => {
  it("nothing more runs in this process, whichever sync it was", async () => {
    let met = 0;
    for (let nth = 1; nth <= 40; nth++) if ((await callThroughFailedSync(nth)).met) met += 1;
    expect(met).toBeGreaterThan(10);
  });
});
