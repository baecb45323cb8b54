import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { FairTurns } from "../../../src/doors/wire/fair-turns.ts";

describe("FairTurns", () => {
  it("lets few requests of one caller begin at once, and the others one a turn, in their order", async () => {
    const turns = new FairTurns();
    const begun: number[] = [];
    const line = Array.from({ length: 20 }, (_, at) => turns.turn("ann")?.then(() => void begun.push(at)));
    expect(line.map((waiting) => waiting === undefined)).toEqual(line.map((_, at) => at < 8));
    for (let seen = 0; seen < 12; seen++) {
      expect(begun.length).toBeLessThanOrEqual(seen);
      await turn();
    }
    await Promise.all(line);
    expect(begun).toEqual([8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19]);
  });

  it("holds up nobody else, and nobody who comes later", async () => {
    const turns = new FairTurns();
    const line = Array.from({ length: 9 }, () => turns.turn("ann"));
    expect([turns.turn("bob"), line[7], line[8] === null]).toEqual([null, null, false]);
    await Promise.all(line);
    await turn();
    await turn();
    expect(turns.turn("ann")).toBe(null);
  });
});
