import { describe, expect, it } from "vitest";
import { raceSwaps } from "./race-swaps.ts";

describe("a directory swapped for a link while files are used (A16)", () => {
  it("lets nothing outside be read or changed in 2,000 rounds", async () => {
    const report = await raceSwaps(2000);
    expect(report.escapes).toEqual([]);
    expect(report.inside + report.outside).toBeGreaterThan(0);
  });
});
