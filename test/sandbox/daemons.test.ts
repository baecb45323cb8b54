import { expect, it } from "vitest";
import { needs } from "../support/parts.ts";
import { DAEMONS, daemonise } from "./daemons.ts";

needs(
  "bwrap",
  "prlimit",
  "python3",
)("ways to outlive a call", () => {
  it("leave nothing behind (A32, F20)", async () => {
    expect(DAEMONS.length).toBeGreaterThanOrEqual(20);
    for (const way of DAEMONS) await daemonise(way, 1);
  });
});
