import { describe, expect, it } from "vitest";
import { Pace } from "../../../src/tools/mcp/pace.ts";

/** Asked as soon as it may be, news each time: when that was. */
function flooded(times: number): readonly number[] {
  const pace = new Pace();
  let nowMs = 0;
  return Array.from({ length: times }, () => {
    nowMs += pace.waitMs(nowMs);
    pace.asked(nowMs);
    return nowMs;
  });
}

describe("an upstream that always has news", () => {
  it("is asked at once a few times, then ever more seldom", () => {
    expect(flooded(14)).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1000, 3000, 7000, 12_000]);
  });

  it("has about twelve a minute", () => {
    const hour = 60 * 60 * 1000;
    expect(flooded(3000).filter((atMs) => atMs < hour).length).toBeLessThan(740);
  });
});

it("one that has been quiet is asked at once again", () => {
  const pace = new Pace();
  for (let times = 0; times < 20; times++) pace.asked(0);
  expect(pace.waitMs(0)).toBeGreaterThan(0);
  pace.asked(11 * 60_000);
  expect(pace.waitMs(11 * 60_000)).toBe(0);
});
