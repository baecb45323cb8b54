import { describe, expect, it } from "vitest";
import { race } from "./races.ts";

describe("several processes answer the same questions at the same time", () => {
  it("one winner each, the others are told whose it was, and what was approved runs once", async () => {
    const { won, approved, questions } = await race(200, 3);
    expect(won.reduce((a, b) => a + b)).toBe(questions);
    expect(approved).toBeGreaterThan(0);
    expect(approved).toBeLessThan(questions);
  });
});
