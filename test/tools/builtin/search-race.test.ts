import { expect, it } from "vitest";
import { needs } from "../../support/parts.ts";
import { raceSearches } from "./search-race.ts";

needs("bwrap", "prlimit")("a searched folder that is swapped for a link (A16)", () => {
  it("lets nothing outside be found in 60 searches", async () => {
    const { found, escapes } = await raceSearches(60);
    expect(escapes).toEqual([]);
    expect(found).toBeGreaterThan(0);
  });
});
