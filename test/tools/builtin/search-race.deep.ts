import { expect, it } from "vitest";
import { needs } from "../../support/parts.ts";
import { raceSearches } from "./search-race.ts";

needs("bwrap", "prlimit")("a searched folder that is swapped for a link (A16)", () => {
  it("lets nothing outside be found in 10,000 searches", async () => {
    const { found, escapes, codes } = await raceSearches(10_000);
    expect(escapes).toEqual([]);
    expect(found).toBeGreaterThan(0);
    expect(codes["CONFLICT"]).toBeGreaterThan(0);
  });
});
