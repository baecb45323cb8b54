import { readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Round, raceSwaps } from "./race-swaps.ts";
import { SENTINEL } from "./scratch.ts";

/** What everybody writes first: resolve, compare, open. */
const checkThenOpen: Round = async ({ workspace }, report) => {
  try {
    const path = join(workspace, "dir/secret.txt");
    if (!realpathSync(path).startsWith(`${workspace}/`)) return;
    if (readFileSync(path, "utf8") === SENTINEL) report.escapes.push("read");
  } catch {
    // Nothing stood there at that moment.
  }
};

describe("a directory swapped for a link while files are used (A16)", () => {
  it("lets nothing outside be read or changed in 100,000 rounds", async () => {
    const report = await raceSwaps(100_000);
    expect(report.escapes).toEqual([]);
    for (const count of [report.inside, report.outside, report.conflicts, report.written]) {
      expect(count).toBeGreaterThan(0);
    }
  });

  it("is a race that checking first and opening then does lose", async () => {
    const report = await raceSwaps(100_000, checkThenOpen);
    expect(report.escapes.length).toBeGreaterThan(0);
  });
});
