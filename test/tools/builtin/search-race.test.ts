import { expect, it } from "vitest";
import { needs } from "../../support/parts.ts";
import { raceSearches } from "./search-race.ts";

needs("bwrap", "prlimit")("a searched folder that is swapped for a link (A16)", () => {
  it("lets nothing outside be found in 500 searches", async () => {
    const { found, escapes, codes } = await raceSearches(500);
    expect(escapes).toEqual([]);
    expect(found + (codes["CONFLICT"] ?? 0)).toBeGreaterThan(0); // else there was no race
  });
});
