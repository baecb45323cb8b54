import { expect, it } from "vitest";
import { reconnectLater } from "../../../src/tools/mcp/reconnect-later.ts";
import { handClock } from "../../support/hand-clock.ts";

function open() {
  const clock = handClock();
  const delays: number[] = [];
  const after = (delayMs: number, task: () => void) => {
    delays.push(delayMs);
    return clock.after(delayMs, task);
  };
  const later = reconnectLater({ nowMs: clock.monotonicMs, after });
  return { clock, delays, later };
}

it("an upstream that wants us back at once is gone back to after a while that doubles", () => {
  const { clock, delays, later } = open();
  let came = 0;
  for (let n = 0; n < 10; n++) {
    later(() => came++, 0, 0);
    clock.move(delays.at(-1) ?? 0);
  }
  expect(delays).toEqual([100, 200, 400, 800, 1600, 3200, 6400, 12_800, 25_600, 30_000]);
  expect(came).toBe(10);
});

it("what an upstream wishes for is done where it is longer, and not for ever", () => {
  const { delays, later } = open();
  later(() => {}, 500, 0);
  later(() => {}, 86_400_000, 0);
  expect(delays).toEqual([500, 30_000]);
});

it("after a quiet minute it is quick again", () => {
  const { clock, delays, later } = open();
  for (let n = 0; n < 4; n++) later(() => {}, 0, 0);
  clock.move(60_801);
  later(() => {}, 0, 0);
  expect(delays.slice(-2)).toEqual([800, 100]);
});

it("can be called off", () => {
  const { clock, later } = open();
  let came = 0;
  const callOff = later(() => came++, 0, 0);
  callOff?.();
  clock.move(1000);
  expect(came).toBe(0);
});

it("takes real time where nothing else is said", async () => {
  await new Promise<void>((resolve) => void reconnectLater()(resolve, 0, 0));
});
