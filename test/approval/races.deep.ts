import { describe, expect, it } from "vitest";
import { race } from "./races.ts";

describe("several processes answer the same questions at the same time", () => {
  it.each([
    [5000, 2],
    [3000, 3],
    [2000, 4],
  ])("%i questions, %i processes", async (questions, processes) => {
    const figures = await race(questions, processes);
    process.stdout.write(`races: ${JSON.stringify({ processes, ...figures })}\n`);
    // A process that never won would mean that there was no race.
    for (const won of figures.won) expect(won).toBeGreaterThan(0);
  });
});
