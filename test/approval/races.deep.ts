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
    // If all were one process's, there would have been no race.
    expect(Math.max(...figures.won)).toBeLessThan(questions);
  });
});
