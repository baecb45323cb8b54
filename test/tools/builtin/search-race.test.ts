import { describe, expect, it } from "vitest";
import { SENTINEL } from "../../files/scratch.ts";
import { needs } from "../../support/parts.ts";
import { MOMENTS, raceSearches, searchSwappedAt, searchSwappedBack } from "./search-race.ts";
import { codeOf, textOf } from "./use-tool.ts";

needs("bwrap", "prlimit")("a searched folder that is swapped for a link (A16)", () => {
  describe.each(MOMENTS)("right after it was %s", (moment) => {
    it("is searched as judged, or the search conflicts", async () => {
      const used = await searchSwappedAt(moment);
      expect(textOf(used)).not.toContain(SENTINEL);
      if (moment === "planned") expect(codeOf(used)).toBe("CONFLICT");
      else if (codeOf(used) === "completed") expect(textOf(used)).toContain("inside");
      else expect(codeOf(used)).toBe("CONFLICT");
    });
  });

  it("is not searched if it was a link outside when the call was judged", async () => {
    const used = await searchSwappedBack();
    expect(textOf(used)).not.toContain("inside");
    expect(used.plan?.touches[0]).toMatchObject({ path: expect.stringMatching(/\/outside$/) });
  });

  it("lets nothing outside be found in 300 searches while another process swaps it", async () => {
    expect((await raceSearches(300)).escapes).toEqual([]);
  });
});
