import { expect, it } from "vitest";
import { steadyClock } from "../../src/wiring/steady-clock.ts";
import { systemClock } from "../../src/wiring/system-clock.ts";

it("goes on where the wall clock is set back, follows it forward, and counts whole milliseconds", () => {
  const time = { wall: 1000, mono: 0.5 };
  const steady = steadyClock({ ...systemClock, nowMs: () => time.wall, monotonicMs: () => time.mono });
  const seen: number[] = [];
  for (const [wall, mono] of [
    [1000, 0.5],
    [1010, 10.9],
    [10, 20.7],
    [5000, 30.2],
    [40, 40.9],
  ] as const) {
    Object.assign(time, { wall, mono });
    seen.push(steady.nowMs());
  }
  expect(seen).toEqual([1000, 1010, 1020, 5000, 1040]);
});
