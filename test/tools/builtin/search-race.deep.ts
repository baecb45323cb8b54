import { expect, it } from "vitest";
import { needs } from "../../support/parts.ts";
import { raceSearches } from "./search-race.ts";

needs("bwrap", "prlimit")("a searched folder that is swapped for a link (A16)", () => {
  it("lets nothing outside be found in 10,000 searches", async ({ skip }) => {
    const { found, escapes, codes } = await raceSearches(10_000);
    process.stdout.write(`A16: ${JSON.stringify({ found, codes })}\n`);
    expect(escapes).toEqual([]);
    skip(found === 0 || codes["CONFLICT"] === undefined, "no search met the race on this machine");
  });
});
